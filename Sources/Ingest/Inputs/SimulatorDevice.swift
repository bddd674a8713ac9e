/// An installed build of a simulated app on a simulated device.
struct SimulatorDevice {
  var app = "Shop"
  var version: String
  var model: String
  var deviceID: String
  var osName = "iOS"
  var osVersion: String
  var osBuild: String
  /// `spanNamePrefix` of PerformanceSuite; it may hold dots itself.
  var prefix: String?
  /// Embrace's auto-termination key, which stands on every live span, also on those that end well.
  var isEndedByEmbrace = false
  /// The host exports live spans at their start and while they grow.
  var exportsSnapshots = false
  var keepsLedger = false
  /// False where rendering is not configured, so that no session and no frame is ever measured.
  var measuresRendering = true
  /// What the host's attribute provider adds to PerformanceSuite's spans.
  var hostAttributes: SimulatorAttributes = []
  /// What the slowest screen takes in this build, as a factor.
  var checkoutFactor = 1.0

  var resource: SimulatorAttributes {
    [
      ("service.name", .string(app)),
      ("service.version", .string(version)),
      ("device.model.identifier", .string(model)),
      ("device.id", .string(deviceID)),
      ("os.type", .string("darwin")),
      ("os.name", .string(osName)),
      ("os.version", .string(osVersion)),
      ("os.description", .string("\(osName) Version \(osVersion) (Build \(osBuild))")),
      ("telemetry.sdk.name", .string("opentelemetry")),
      ("telemetry.sdk.language", .string("swift")),
      ("telemetry.sdk.version", .string("2.4.1")),
    ]
  }

  /// The typical time to interactive of a screen in milliseconds.
  func typicalTTI(of screen: String) -> Double {
    switch screen {
    case "Home": 480
    case "Search": 310
    case "ProductDetail": 690
    case "Cart": 420
    case "Checkout": 1550 * checkoutFactor
    case "OrderHistory": 880
    case "Reviews": 760
    case "StoreMap": 940
    case "Größentabelle": 260
    default: 550
    }
  }

  /// The path that a screen loads its content from.
  static func path(of screen: String) -> String {
    switch screen {
    case "Home": "/v3/home"
    case "Search": "/v3/search"
    case "ProductDetail": "/v3/products/{id}"
    case "Cart": "/v3/cart"
    case "Checkout": "/v3/checkout/quote"
    case "OrderHistory": "/v3/orders"
    case "Reviews": "/v3/reviews"
    default: "/v3/content"
    }
  }
}

extension SimulatorDevice {
  /// The phone that most of the story happens on: the newest build, with a ledger.
  static func phone(_ random: inout SimulatorRandom) -> SimulatorDevice {
    SimulatorDevice(
      version: "8.42.1 (842103)",
      model: "iPhone15,2",
      deviceID: random.uuid(),
      osVersion: "18.5.0",
      osBuild: "22F76",
      keepsLedger: true,
      hostAttributes: [("experiment", .string("B"))]
    )
  }

  /// The same build on a tablet, through Embrace and with live snapshots.
  static func tablet(_ random: inout SimulatorRandom) -> SimulatorDevice {
    SimulatorDevice(
      version: "8.42.1 (842103)",
      model: "iPad14,3",
      deviceID: random.uuid(),
      osName: "iPadOS",
      osVersion: "18.5.0",
      osBuild: "22F76",
      isEndedByEmbrace: true,
      exportsSnapshots: true,
      hostAttributes: [("experiment", .string("B"))]
    )
  }

  /// The build before, to compare with: its checkout is fast, and it names its spans with a prefix.
  static func olderPhone(_ random: inout SimulatorRandom) -> SimulatorDevice {
    SimulatorDevice(
      version: "8.42.0 (842001)",
      model: "iPhone14,5",
      deviceID: random.uuid(),
      osVersion: "18.4.1",
      osBuild: "22E252",
      prefix: "shop.ios",
      exportsSnapshots: true,
      hostAttributes: [("experiment", .string("A"))],
      checkoutFactor: 0.6
    )
  }

  /// An app clip that does not measure sessions.
  static func clip(_ random: inout SimulatorRandom) -> SimulatorDevice {
    SimulatorDevice(
      app: "ShopClip",
      version: "1.3.0 (130)",
      model: "iPhone12,1",
      deviceID: random.uuid(),
      osVersion: "17.7.2",
      osBuild: "21H221",
      measuresRendering: false
    )
  }
}
