/// A fast 64-bit hash of bytes in the manner of wyhash, the same on every run and machine.
///
/// Not a defence against somebody who builds collisions on purpose.
enum ByteHash {
  static let secret0: UInt64 = 0x2d35_8dcc_aa6c_78a5
  static let secret1: UInt64 = 0x8bb8_4b93_962e_acc9
  static let secret2: UInt64 = 0x4b33_a62e_d433_d4a3
  static let secret3: UInt64 = 0x4d5a_2da5_1de1_aa47

  /// Folds the 128-bit product of both into 64 bits.
  @inline(__always)
  static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  /// The hash of the bytes; those of no bytes are a constant that is not 0.
  static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    var seed = secret0
    var first: UInt64 = 0
    var second: UInt64 = 0
    if let start = bytes.baseAddress {
      if count <= 16 {
        if count >= 4 {
          let step = (count &>> 3) &<< 2
          first = four(start) &<< 32 | four(start + step)
          second = four(start + (count &- 4)) &<< 32 | four(start + (count &- 4 &- step))
        } else if count > 0 {
          first =
            one(start) &<< 16 | one(start + (count &>> 1)) &<< 8 | one(start + (count &- 1))
        }
      } else {
        (first, second, seed) = long(start, count)
      }
    }
    return mix(secret1 ^ UInt64(truncatingIfNeeded: count), mix(first ^ secret1, second ^ seed))
  }

  /// Takes all but the last 16 bytes into the seed and returns those last 16 with it.
  @inline(__always)
  private static func long(
    _ start: UnsafeRawPointer,
    _ count: Int
  ) -> (UInt64, UInt64, UInt64) {
    var place = start
    var left = count
    var seed = secret0
    if left > 48 {
      var seed1 = seed
      var seed2 = seed
      while left > 48 {
        seed = mix(eight(place) ^ secret1, eight(place + 8) ^ seed)
        seed1 = mix(eight(place + 16) ^ secret2, eight(place + 24) ^ seed1)
        seed2 = mix(eight(place + 32) ^ secret3, eight(place + 40) ^ seed2)
        place += 48
        left &-= 48
      }
      seed ^= seed1 ^ seed2
    }
    while left > 16 {
      seed = mix(eight(place) ^ secret1, eight(place + 8) ^ seed)
      place += 16
      left &-= 16
    }
    return (eight(place + (left &- 16)), eight(place + (left &- 8)), seed)
  }

  @inline(__always)
  private static func eight(_ place: UnsafeRawPointer) -> UInt64 {
    UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
  }

  @inline(__always)
  private static func four(_ place: UnsafeRawPointer) -> UInt64 {
    UInt64(UInt32(littleEndian: place.loadUnaligned(as: UInt32.self)))
  }

  @inline(__always)
  private static func one(_ place: UnsafeRawPointer) -> UInt64 {
    UInt64(place.load(as: UInt8.self))
  }
}
