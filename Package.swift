// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "perftop",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "perftop", targets: ["perftop"]),
    .executable(name: "perftop-measure", targets: ["perftop-measure"]),
  ],
  targets: [
    // Rounding calls libm, which the standard library alone does not link.
    .target(
      name: "Model",
      dependencies: ["CPattern"],
      swiftSettings: settings,
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]
    ),
    .target(
      name: "Ingest",
      dependencies: ["Model", "CCompression", "CNetwork", "CPlatform"],
      swiftSettings: settings
    ),
    .target(
      name: "TUI",
      dependencies: ["Model", "CNcurses", "CUnicode", "CPlatform"],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "perftop",
      dependencies: ["Model", "Ingest", "TUI", "CPlatform"],
      swiftSettings: settings
    ),
    .target(
      name: "CNcurses",
      linkerSettings: [
        .linkedLibrary("ncursesw", .when(platforms: [.linux])),
        .linkedLibrary("tinfo", .when(platforms: [.linux])),
        .linkedLibrary("ncurses", .when(platforms: [.macOS])),
      ]
    ),
    .target(
      name: "CPattern",
      cxxSettings: [.unsafeFlags(["-fno-exceptions", "-fno-rtti"])],
      linkerSettings: [.linkedLibrary("re2")]
    ),
    .target(name: "CUnicode", linkerSettings: [.linkedLibrary("utf8proc")]),
    .target(
      name: "CCompression",
      linkerSettings: [.linkedLibrary("z"), .linkedLibrary("zstd")]
    ),
    // libmicrohttpd, libnghttp2, wslay and nettle are loaded when they are needed.
    .target(
      name: "CNetwork",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
    ),
    .target(name: "CPlatform"),
    .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
    .executableTarget(
      name: "perftop-measure",
      dependencies: ["Model", "Ingest", "TUI", "CPlatform", "CAllocations"],
      path: "Benchmarks/Measure",
      swiftSettings: settings
    ),
    .target(
      name: "TestSupport",
      dependencies: ["Model", "Ingest", "TUI"],
      path: "Tests/TestSupport",
      swiftSettings: settings
    ),
    .testTarget(
      name: "ModelTests",
      dependencies: ["Model", "TestSupport"],
      swiftSettings: settings
    ),
    // Reads compressed headers in tests that write frames by hand.
    .systemLibrary(name: "CHeaderCompression", path: "Tests/CHeaderCompression"),
    .testTarget(
      name: "IngestTests",
      dependencies: ["Ingest", "Model", "TestSupport", "CCompression", "CHeaderCompression"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "SignalTests",
      dependencies: ["Ingest", "Model", "TUI", "TestSupport", "CCompression"],
      exclude: ["SIGNAL-TABLES.md"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "TUITests",
      dependencies: ["TUI", "Model", "TestSupport"],
      exclude: ["Golden"],
      swiftSettings: settings
    ),
    .testTarget(name: "EndToEndTests", dependencies: ["TestSupport"], swiftSettings: settings),
    .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"], swiftSettings: settings),
  ],
  cxxLanguageStandard: .cxx17
)
