package import StepKit

extension RapidSOS {
  /// A place that a person has saved.
  package struct Location: Sendable {
    let id: Int
    let locationName: Section<String>?
    let address: Section<PostalAddress>?
    let animal: Section<Animal>?
    let comment: Section<String>?
    let externalDataPortal: Section<Link>?
    let fixedVideoFeed, mobileVideoFeed: Section<VideoStream>?
    let floorPlan: Section<Link>?
    let locationContact: Section<EmergencyContact>?
    let further: FurtherMembers
  }

  /// The sections of a location as a flow writes them.
  package struct LocationSections: Sendable {
    let locationName: [String]?
    let address: [Written<PostalAddress>]?
    let animal: [Written<Animal>]?
    let comment: [String]?
    let externalDataPortal: [Written<Link>]?
    let fixedVideoFeed, mobileVideoFeed: [Written<VideoStream>]?
    let floorPlan: [Written<Link>]?
    let locationContact: [Written<EmergencyContact>]?
  }

  /// Every location of a person.
  package struct Locations: Sendable { let locations: [Location] }
}

extension RapidSOS.Location: SavedThing {
  package typealias Sections = RapidSOS.LocationSections
  package typealias All = RapidSOS.Locations

  package static let noun = "location"
  package static let plural = "locations"
  package static let catalogue = SectionCatalogue.location
  package static let exampleSections = #""location_name": ["Home"]"#
  package static let exampleSection = "location_name"

  package init(_ field: inout Fields) {
    id = field("id", "Its id at RapidSOS.")
    locationName = field("location_name", "What they call it.")
    address = field("address", "Where it is.")
    animal = field("animal", "The animals there.")
    comment = field("comment", "What responders should know.")
    externalDataPortal = field("external_data_portal", "Pages with further data.")
    fixedVideoFeed = field("fixed_video_feed", "Cameras that stand.")
    mobileVideoFeed = field("mobile_video_feed", "Cameras that move.")
    floorPlan = field("floor_plan", "Pictures of its floors.")
    locationContact = field("location_contact", "Who knows the place.")
    further = field.further()
  }
}

extension RapidSOS.LocationSections: DescribedRecord {
  package init(_ field: inout Fields) {
    locationName = field("location_name", "What they call it.")
    address = field("address", "Where it is.")
    animal = field("animal", "The animals there.")
    comment = field("comment", "What responders should know.")
    externalDataPortal = field("external_data_portal", "Pages with further data.")
    fixedVideoFeed = field("fixed_video_feed", "Cameras that stand.")
    mobileVideoFeed = field("mobile_video_feed", "Cameras that move.")
    floorPlan = field("floor_plan", "Pictures of its floors.")
    locationContact = field("location_contact", "Who knows the place.")
  }
}

extension RapidSOS.Locations: DescribedRecord {
  package init(_ field: inout Fields) {
    locations = field("locations", "The locations; an empty list where there are none.")
  }
}
