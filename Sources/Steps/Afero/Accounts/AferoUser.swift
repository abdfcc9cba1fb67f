package import StepKit

extension Afero {
  /// What a person may do with an account.
  package struct Privileges: DescribedRecord {
    let owner: Bool
    let canWrite: Bool

    package init(_ field: inout Fields) {
      owner = field("owner", "Whether the account is theirs.", default: false)
      canWrite = field("can_write", "Whether they may change things.", default: false)
    }
  }

  /// An account: a home, say.
  package struct Account: DescribedRecord {
    let accountID: String
    let type: String?
    let description: String?
    let createdTimestamp: Int?
    let region: String?

    package init(_ field: inout Fields) {
      accountID = field("account_id", "Its id.")
      type = field("type", "Its kind, such as `CUSTOMER`.")
      description = field("description", "What it is called.")
      createdTimestamp = field("created_timestamp", "When it was made, in milliseconds since 1970.")
      region = field("region", "Where Afero keeps it.")
    }
  }

  /// An account, and what a person may do there.
  package struct AccountAccess: DescribedRecord {
    let account: Account
    let privileges: Privileges
    let startAccessTimestamp: Int?
    let endAccessTimestamp: Int?

    package init(_ field: inout Fields) {
      account = field("account", "The account.")
      privileges = field("privileges", "What they may do there.")
      startAccessTimestamp = field("start_access_timestamp", "From when on, in milliseconds since 1970; 0 is always.")
      endAccessTimestamp = field("end_access_timestamp", "Until when, in milliseconds since 1970; 0 is for good.")
    }
  }

  /// What a person signs in with.
  package struct Credential: DescribedRecord {
    let credentialID: String
    let type: String?
    let verified: Bool?
    let lastUsedTimestamp: Int?
    let failedAttempts: Int?

    package init(_ field: inout Fields) {
      credentialID = field("credential_id", "The address.")
      type = field("type", "Its kind, such as `EMAIL`.")
      verified = field("verified", "Whether the address is proven; nobody needs to.")
      lastUsedTimestamp = field("last_used_timestamp", "When it was used last, in milliseconds since 1970.")
      failedAttempts = field("failed_attempts", "How many wrong passwords there were.")
    }
  }

  /// A maker of devices.
  package struct Partner: DescribedRecord {
    let partnerID: String
    let name: String?
    let clientID: String?
    let clientSecret: Secret<String>?
    let createdTimestamp: Int?

    package init(_ field: inout Fields) {
      partnerID = field("partner_id", "Its id.")
      name = field("name", "Its name.")
      clientID = field("client_id", "The id of its app.")
      clientSecret = field("client_secret", "The secret of its app, which is live.")
      createdTimestamp = field("created_timestamp", "When it was made, in milliseconds since 1970.")
    }
  }

  /// What a person may do for a maker of devices.
  package struct PartnerPrivileges: DescribedRecord {
    let owner: Bool
    let inviteUsers: Bool
    let manageDeviceProfiles: Bool
    let viewDeviceInfo: Bool

    package init(_ field: inout Fields) {
      owner = field("owner", "Whether it is theirs.", default: false)
      inviteUsers = field("invite_users", "Whether they may invite others.", default: false)
      manageDeviceProfiles = field("manage_device_profiles", "Whether they may change profiles.", default: false)
      viewDeviceInfo = field("view_device_info", "Whether they may look at devices.", default: false)
    }
  }

  /// A maker of devices whom a person belongs to.
  package struct PartnerAccess: DescribedRecord {
    let partner: Partner
    let privileges: PartnerPrivileges

    package init(_ field: inout Fields) {
      partner = field("partner", "The maker.")
      privileges = field("privileges", "What they may do there.")
    }
  }

  /// Terms of service.
  package struct Terms: DescribedRecord {
    let tosType: String
    let currentVersion: Int?
    let userVersion: Int?
    let needsAcceptance: Bool
    let url: String?

    package init(_ field: inout Fields) {
      tosType = field("tos_type", "Whom they are for: `user`, `developer` or `general`.")
      currentVersion = field("current_version", "The version that is in force.")
      userVersion = field("user_version", "The version that the person has agreed to.")
      needsAcceptance = field("needs_acceptance", "Whether they have to agree anew.", default: false)
      url = field("url", "Where they stand.")
    }
  }

  /// A person, their accounts, and what they have agreed to.
  package struct User: DescribedRecord {
    let userID: String
    let firstName: String?
    let lastName: String?
    let credential: Credential
    let accountAccess: [AccountAccess]
    let partnerAccess: [PartnerAccess]
    let tos: [Terms]

    package init(_ field: inout Fields) {
      userID = field("user_id", "Their id.")
      firstName = field("first_name", "Their first name.")
      lastName = field("last_name", "Their last name.")
      credential = field("credential", "What they sign in with.")
      accountAccess = field("account_access", "The accounts that are theirs or shared with them.", default: [])
      partnerAccess = field("partner_access", "The makers of devices whom they belong to.", default: [])
      tos = field("tos", "Terms of service.", default: [])
    }
  }
}
