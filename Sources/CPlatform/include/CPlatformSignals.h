#ifndef PERFTOP_CPLATFORM_SIGNALS_H
#define PERFTOP_CPLATFORM_SIGNALS_H
// Signals that end a run without a terminal, as a descriptor that poll can wait for.

// SIGINT and SIGTERM no longer end the process; each makes the descriptor readable. A second one of the
// same kind ends it, so that a run that does not answer can still be stopped.
void cp_catch_end_signals(void);

// Gives SIGINT and SIGTERM their usual effect back: nothing is left to be read, and whoever sends one
// wants the process gone.
void cp_let_signals_end(void);
int cp_end_signal_descriptor(void);
// Opens /dev/null for each of the three standard descriptors that is closed, so that no other file
// takes its number.
void cp_fill_standard_descriptors(void);
// A write to a closed pipe or past the limit of a file's size is an error, not the end of the process.
void cp_ignore_write_signals(void);
// How many bytes can be read without waiting. Returns 0 or the error number.
int cp_bytes_waiting(int descriptor, int *_Nonnull count);
#endif
