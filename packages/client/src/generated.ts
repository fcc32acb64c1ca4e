// Generated from the OpenAPI document by `npm run generate`. Do not edit.
/* eslint-disable */

/** The result of one check. */
export type CheckResponse = {
/** The check: `process` (failed during a graceful stop), `database`, `migrations`, `clock`, `storage`, `queue` or `storage_room`. */
name: string;
/** The result. `low`, of `storage_room`: the local store has less free space than configured, so uploads are `503`. Everything else works, so it does not make the process unavailable. */
status: "ok" | "low" | "failed";
};

/** The state of a process. */
export type HealthResponse = {
/** `ok`: it can serve requests. */
status: "ok" | "unavailable";
/** The checks of `GET /ready`. */
checks?: readonly (CheckResponse)[];
};

/** The plan of an organization.  - `team`: prepaid: usage is paid from credit. No channels, releases and own storage. - `business`: postpaid: usage is charged to a monthly statement, limited by the spend cap. All features. */
export type Plan = "team" | "business";

/** A plan that an organization can choose. */
export type PlanOfferResponse = {
/** The plan. */
plan: Plan;
/** `prepaid`: paid from the balance. `postpaid`: paid by a statement for each month. */
mode: "prepaid" | "postpaid";
/** The flat fee for a month, in micro-dollars. 0 while `billing` is `off`. */
fee_micro_usd: number;
/** The spending cap that an organization gets with the plan. `null` when there is none. */
first_spend_cap_micro_usd: number | null;
/** The features of this plan that not every plan includes. `channels`: channels and releases. `own_storage`: artifacts in a storage account of the organization. While `billing` is `off`, all plans include all of them. */
features: readonly ("channels" | "own_storage")[];
};

/** The prices of the meters, in micro-dollars. */
export type PricesResponse = {
/** Per MB (1000000 bytes) stored for a month. */
storage_mb_month_micro_usd: number;
/** Per MB uploaded. */
upload_mb_micro_usd: number;
/** Per MB downloaded. */
download_mb_micro_usd: number;
};

/** The settings of the service that clients need. They are the same for every caller. */
export type ServiceResponse = {
/** The version of the service. */
version: string;
/** The public URL of the service. */
base_url: string;
/** The public URL of install pages. Often the same as `base_url`. */
install_base_url: string;
/** Who may sign up. `open`: everyone. `invited`: people whom an organization invited. `domains`: people with an address in one of the domains that the operator chose; which ones is not public. `closed`: only the operator creates accounts. */
sign_up: "open" | "invited" | "domains" | "closed";
/** The captcha that a sign-up requires. `altcha`: the solution of a challenge of `GET /captcha`. `none`: nothing. A login can require a solution in both cases. */
captcha: "none" | "altcha";
/** `sent`: mails go to a mail server. `written`: the service has none and writes them to files, which only its operator can read. */
mail: "sent" | "written";
/** `on`: agents can use the MCP server at `{base_url}/mcp`. `off`: the operator has switched it off. */
mcp: "on" | "off";
/** The maximum size of an artifact, in bytes. */
max_upload_bytes: number;
/** The kinds of store in which an organization can keep its artifacts itself, on a plan with the feature `own_storage`. */
own_storage: readonly ("s3" | "azure")[];
/** `metered`: organizations pay fees and usage. `off`: nothing is charged, and every plan has every feature. */
billing: "metered" | "off";
/** How a top-up is paid. `stripe`: on a page of Stripe. `manual`: an operator approves it. */
payment_provider: "manual" | "stripe";
/** The plans, from the smallest to the largest. */
plans: readonly (PlanOfferResponse)[];
/** The prices of usage on every plan. 0 while `billing` is `off`. */
prices: PricesResponse;
};

/** A proof of work to solve before a sign-up, or after failed logins. */
export type ChallengeResponse = {
/** The work: algorithm, nonce, salt, cost and others. Pass it to the widget unchanged. */
parameters: {
[key: string]: unknown;
};
/** The signature of the challenge. Send it back unchanged. */
signature: string;
};

/** The present and the new password. */
export type ChangePasswordRequest = {
/** Your present password. */
current_password: string;
/** The new password: 10 to 256 characters, and not one of the most common ones. It is neither trimmed nor truncated. */
new_password: string;
};

/** The address that the account is to have. */
export type ChangeEmailRequest = {
/** Your present password. */
password: string;
/** The new address. A link that confirms it is mailed there. */
new_email: string;
};

/** Confirms that the owner of the account sends the request. */
export type PasswordRequest = {
/** Your present password. */
password: string;
};

/** A new account. */
export type SignUpRequest = {
/** The address of the account. It must be verified before the account can change anything. */
email: string;
/** The new password: 10 to 256 characters, and not one of the most common ones. It is neither trimmed nor truncated. */
password: string;
/** Your name, as other members see it. */
name?: string;
/** The solution of a challenge of GET /api/v1/captcha. Required when the service has a captcha configured. */
captcha?: string;
};

/** The response of routes that must not reveal whether an address has an account. */
export type AcceptedResponse = {
/** The next step, for people. */
message: string;
};

/** The account of a person who logs in. */
export type DeveloperResponse = {
/** Id of the developer. */
id: string;
/** The address of the account. Logins and mails use it. */
email: string;
/** The name that other members see. `null` when none was given. */
name: string | null;
/** While false, requests that change state are rejected with 403 email_not_verified. */
email_verified: boolean;
/** Whether a login also needs a one-time code. */
mfa_enabled: boolean;
/** The language of the mails to you. */
language: "en" | "de";
/** When the account was created. */
created_at: string;
};

/** Changes of the profile. Absent fields stay as they are. */
export type UpdateDeveloperRequest = {
/** Your name, as other members see it. `null` removes it. */
name?: string | null;
/** The language of the mails to you. */
language?: "en" | "de";
};

/** The token of a mailed link. */
export type VerifyEmailRequest = {
/** The token in the mailed link. */
token: string;
};

/** The address of an account. */
export type EmailRequest = {
/** The address that may have an account. */
email: string;
/** Ignored: only the sign-up requires a captcha. The field exists for clients that still send it. */
captcha?: string;
};

/** The token of a mailed link, and the new password. */
export type ResetPasswordRequest = {
/** The token in the mailed link. */
token: string;
/** The new password: 10 to 256 characters, and not one of the most common ones. It is neither trimmed nor truncated. */
new_password: string;
/** Whether to revoke all your personal access tokens too. Default: false. */
revoke_pats?: boolean;
};

/** Confirms that the owner of the account sends the request. */
export type EnrolMfaRequest = {
/** Your present password. */
password: string;
};

/** A secret for an authenticator app. */
export type EnrolmentResponse = {
/** The secret in base 32, to type into the app. */
secret: string;
/** The secret as a URL, which authenticator apps open. */
otpauth_url: string;
/** The URL as a QR code in SVG. */
qr_code_svg: string;
/** The recovery codes of the factor. They work as soon as it is confirmed. Show them before the confirmation, because it ends the session. */
recovery_codes: readonly (string)[];
};

/** The password, and a code of the authenticator app. */
export type ConfirmMfaRequest = {
/** Your present password. */
password: string;
/** The code that your authenticator app shows. */
code: string;
};

/** The recovery codes of a second factor. Store them where the authenticator app is not. */
export type RecoveryCodesResponse = {
/** Each code works once, in place of a code of the app. */
recovery_codes: readonly (string)[];
};

/** The password and a code. */
export type DisableMfaRequest = {
/** Your present password. */
password: string;
/** The code that your authenticator app shows. */
code: string;
};

/** What testers see of an organization, on install pages and in mails. */
export type BrandingResponse = {
/** The name that testers see instead of the name of the organization. `null`: its name. */
display_name: string | null;
/** The logo, a PNG in base64, as it was sent. `null` without one. */
logo: string | null;
/** The address of the logo, which needs no credential. Its content never changes: another logo has another address. `null` without one. */
logo_url: string | null;
/** How testers reach the organization: a mail address, the address of a page, or another short text. Shown below install pages and mails. */
contact: string | null;
/** The `http` or `https` address of the privacy policy. Linked below install pages and mails. */
privacy_url: string | null;
/** The colour of buttons and links, as `#rrggbb`. In the dark theme a lighter shade of it is used. `null`: the colour of the service. */
accent: string | null;
};

/** What testers see of an organization. It replaces what was set: absent fields are removed. */
export type SetBrandingRequest = {
/** The name that testers see instead of the name of the organization. `null`: its name. */
display_name?: string | null;
/** A PNG of at most 64 KiB and 2,048 pixels a side, in base64. May be a `data:` URL. */
logo?: string | null;
/** How testers reach the organization: a mail address, the address of a page, or another short text. Shown below install pages and mails. */
contact?: string | null;
/** The `http` or `https` address of the privacy policy. Linked below install pages and mails. */
privacy_url?: string | null;
/** The colour of buttons and links, as `#rrggbb`. In the dark theme a lighter shade of it is used. `null`: the colour of the service. Its contrast on the pages must be at least 4.5. */
accent?: string | null;
};

/** A tenant: it owns projects, has members and is billed. */
export type OrganizationResponse = {
/** Id of the organization. */
id: string;
/** The name of the organization. */
name: string;
/** The plan that the organization is on. */
plan: Plan;
/** Your roles in it. */
roles: readonly ("MEMBER" | "READ" | "AUDITOR" | "BILLING" | "MANAGER" | "ADMIN")[];
/** When the organization was created. */
created_at: string;
};

/** The invitation to accept. */
export type AcceptInvitationRequest = {
/** The token from the mailed link. */
token: string;
};

/** The mailed link of an invitation. */
export type InvitationPreviewRequest = {
/** The token from the mailed link. */
token: string;
};

/** An invitation that its mailed link opens. */
export type InvitationPreviewResponse = {
/** Id of the organization. */
organization_id: string;
/** The name of the organization. */
organization_name: string;
/** The name of the member who sent it, or else their e-mail address. */
invited_by_label: string;
/** The address that the invitation was mailed to. */
email: string;
/** The roles that you will have. */
roles: readonly ("MEMBER" | "READ" | "AUDITOR" | "BILLING" | "MANAGER" | "ADMIN")[];
/** When its link stops working. */
expires_at: string;
/** Whether a verified or suspended account has the address: then its owner logs in and accepts. Otherwise sign up with the token, which replaces an unverified account of the address. */
has_account: boolean;
/** Whether the service creates an account for the address. False: its operator creates one. */
may_sign_up: boolean;
};

/** An invitation that was not accepted yet. */
export type InvitationResponse = {
/** Id of the invitation. */
id: string;
/** Id of the organization. */
organization_id: string;
/** The address that the invitation was mailed to. */
email: string;
/** The roles that the member will have. */
roles: readonly ("MEMBER" | "READ" | "AUDITOR" | "BILLING" | "MANAGER" | "ADMIN")[];
/** The developer who sent the invitation. `null` after their account was deleted. */
invited_by: string | null;
/** The name of that developer, or the e-mail address of one without a name. `null` when their account was deleted. */
invited_by_label: string | null;
/** When the invitation was sent. */
created_at: string;
/** When its link stops working: seven days after it was sent. */
expires_at: string;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type InvitationPage = {
/** The items of the page, newest first. */
items: readonly (InvitationResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** An invitation to become a member. */
export type InviteMemberRequest = {
/** The address that the invitation is mailed to. Only an account with this address can accept it. */
email: string;
/** The roles that the member will have. `MEMBER` only sees projects in which the member has a project role; `ADMIN` may do everything. */
roles: readonly ("MEMBER" | "READ" | "AUDITOR" | "BILLING" | "MANAGER" | "ADMIN")[];
};

/** A developer who belongs to an organization. */
export type MemberResponse = {
/** Id of the developer. */
developer_id: string;
/** The e-mail address of their account. */
email: string;
/** Their name. `null` when they gave none. */
name: string | null;
/** Their organization roles. Project roles can add to them. */
roles: readonly ("MEMBER" | "READ" | "AUDITOR" | "BILLING" | "MANAGER" | "ADMIN")[];
/** When the developer joined. */
created_at: string;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type MemberPage = {
/** The items of the page, newest first. */
items: readonly (MemberResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** The roles that a member is to have. */
export type UpdateMemberRequest = {
/** All roles of the member. They replace the present ones. `MEMBER` only sees projects in which the member has a project role; `ADMIN` may do everything. */
roles: readonly ("MEMBER" | "READ" | "AUDITOR" | "BILLING" | "MANAGER" | "ADMIN")[];
};

/** A role in a project. Each role includes the ones before it.  - `VIEW_PROJECT`: sees the project, its builds, channels, releases and testers. - `DOWNLOAD_BUILD`: downloads artifacts. - `UPLOAD_BUILD`: uploads builds, edits their notes, and manages project access tokens up to its own role. - `MANAGE_TESTERS`: adds, mails, exports and erases testers, and reads the download log. - `MANAGE_RELEASES`: manages channels, promotes builds and withdraws releases, and deletes builds. - `MANAGE_PROJECT`: changes the project and the roles of its members. */
export type ProjectRole = "VIEW_PROJECT" | "DOWNLOAD_BUILD" | "UPLOAD_BUILD" | "MANAGE_TESTERS" | "MANAGE_RELEASES" | "MANAGE_PROJECT";

/** A valid project access token that a removed member knows. */
export type LeftTokenResponse = {
/** Id of the token. */
id: string;
/** The project that the token belongs to. */
project_id: string;
/** Name of the token. */
name: string;
/** The permissions of the token. */
role: ProjectRole;
/** The last characters of the token, to recognize it by. */
last4: string;
/** When the token was created. */
created_at: string;
/** When the token expires. `null`: it is valid until it is revoked. */
expires_at: string | null;
/** When the token was last used, exact to a minute. `null` when it was never used. */
last_used_at: string | null;
};

/** The project access tokens that a removed member may know. */
export type MemberRemovalResponse = {
/** The valid project access tokens that the removed member created or rotated last, newest first, at most 1000. They belong to their projects. */
project_access_tokens: readonly (LeftTokenResponse)[];
/** True when the removal revoked the tokens. False: they still work; rotate or revoke each of them. */
tokens_revoked: boolean;
};

/** A new organization. */
export type CreateOrganizationRequest = {
/** The name of the organization. It need not be unique. Testers see it on install pages and in mails. */
name: string;
};

/** Changes of an organization. Absent fields stay as they are. */
export type UpdateOrganizationRequest = {
/** The name of the organization. It need not be unique. Testers see it on install pages and in mails. */
name?: string;
};

/** The developer who sent an invitation. */
export type InvitedByResponse = {
/** Id of the developer. */
id: string;
/** Their name, or else their e-mail address. */
label: string;
};

/** An invitation to you that you have neither accepted nor declined. */
export type OwnInvitationResponse = {
/** Id of the invitation. */
id: string;
/** Id of the organization. */
organization_id: string;
/** The name of the organization. */
organization_name: string;
/** The roles that you will have. */
roles: readonly ("MEMBER" | "READ" | "AUDITOR" | "BILLING" | "MANAGER" | "ADMIN")[];
/** The member who invites you. */
invited_by: InvitedByResponse;
/** When the invitation was sent. */
created_at: string;
/** When it expires: seven days after it was sent. */
expires_at: string;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type OwnInvitationPage = {
/** The items of the page, newest first. */
items: readonly (OwnInvitationResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** A member's own role in a project. */
export type ProjectMemberResponse = {
/** The member. */
developer_id: string;
/** Their e-mail address. */
email: string;
/** Their name. `null` when they gave none. */
name: string | null;
/** The role that was given in the project. Organization roles can imply a higher one. */
role: ProjectRole;
/** The role that follows from their organization roles. `null` when none does. The higher of both roles applies. */
inherited_role: ProjectRole | null;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type ProjectMemberPage = {
/** The items of the page, newest first. */
items: readonly (ProjectMemberResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** The role that a member is to have in the project. */
export type PutProjectMemberRequest = {
/** Replaces the role that the member had in the project. */
role: ProjectRole;
};

/** A language.  - `en`: English. - `de`: German. */
export type Language = "en" | "de";

/** Channels that uploads make, one for each branch. */
export type BranchChannelsSetting = {
/** The branches. `*` stands for any characters but `/`, `**` for any characters, `?` for one character but `/`. */
pattern: string;
/** The name of the channels, which testers see. `{slug}` stands for the branch in lower-case letters, digits and hyphens. */
name: string;
/** A channel ends when it had no release for so many days. It applies from the next upload of a branch on. */
days: number;
};

/** The operating system that a build runs on.  - `ios`: `.ipa`, for iPhone and iPad. - `android`: `.apk` or `.aab`. - `macos`: any file for macOS. - `windows`: any file for Windows. - `linux`: any file for Linux. */
export type Platform = "ios" | "android" | "macos" | "windows" | "linux";

/** A build as summaries of projects show it. `GET /builds/{build_id}` has all its fields. */
export type ProjectBuildResponse = {
/** Id of the build. */
id: string;
/** The version that people see. */
version: string;
/** Distinguishes builds of one version. `null` when neither the upload nor the artifact contained it. */
build_number: string | null;
/** The size of the file, in bytes. */
size_bytes: number;
/** When the upload was complete. */
uploaded_at: string;
/** Whether devices can install the build from its link now. */
installable: boolean;
/** The install link of the build. `null` for callers who may not download, and when the service cannot decrypt it. */
install_url: string | null;
/** The icon of the app. `null` when the artifact contains none. */
icon_url: string | null;
/** iOS: when the provisioning profile or the signing certificate expires, whichever is first. Devices stop launching the app then. `null` when that is not known, and for other platforms. */
signing_expires_at: string | null;
};

/** The newest build of a project for a platform. */
export type LatestBuildResponse = {
/** The platform. */
platform: Platform;
/** The latest uploaded build, promoted or not. */
build: ProjectBuildResponse;
};

/** A channel of a project. */
export type ChannelOfProjectResponse = {
/** Id of the channel. */
id: string;
/** The name of the channel. */
name: string;
};

/** A build that is current in a channel: its testers get it. */
export type CurrentBuildOfProjectResponse = {
/** Id of the channel. */
channel_id: string;
/** The name of the channel. */
channel_name: string;
/** When the build was promoted. */
promoted_at: string;
/** The platform of the build. */
platform: Platform;
/** Id of the build. */
build_id: string;
/** The version that people see. */
version: string;
/** Distinguishes builds of one version. `null` when neither the upload nor the artifact contained it. */
build_number: string | null;
/** Whether devices can install the build from its link now. */
installable: boolean;
/** iOS: when the provisioning profile or the signing certificate expires, whichever is first. Devices stop launching the app then. `null` when that is not known, and for other platforms. */
signing_expires_at: string | null;
};

/** The part of a signature that expires first. Devices stop launching the app then.  - `profile`: the provisioning profile, also when both expire at the same time. - `certificate`: the signing certificate. */
export type SigningPart = "profile" | "certificate";

/** A build that testers can get, and that devices stop launching soon, or have stopped launching. */
export type SigningEndOfProjectResponse = {
/** Id of the build. */
build_id: string;
/** The platform of the build. */
platform: Platform;
/** The version that people see. */
version: string;
/** Distinguishes builds of one version. `null` when neither the upload nor the artifact contained it. */
build_number: string | null;
/** What expires first: the provisioning profile or the signing certificate. */
what: SigningPart;
/** When it expires. */
expires_at: string;
/** The days that are left, rounded up. 0 when it has expired. */
days_left: number;
};

/** A summary of a project. */
export type ProjectCountsResponse = {
/** Builds. */
builds: number;
/** Testers. */
testers: number;
/** Channels. */
channels: number;
/** Resumable uploads that are neither complete nor expired. */
open_uploads: number;
};

/** The state of a project. */
export type ProjectSummaryResponse = {
/** The role of the caller in the project, own or implied by a role in the organization. */
my_role: ProjectRole | null;
/** The newest build with an icon. `null` when none has one. */
icon_build_id: string | null;
/** The icon of the newest build with one. `null` when none has one. */
icon_url: string | null;
/** The newest build of each platform that has builds. */
latest: readonly (LatestBuildResponse)[];
/** All channels of the project, by name. */
channels: readonly (ChannelOfProjectResponse)[];
/** The builds that are current in the channels, by the names of the channels. */
current: readonly (CurrentBuildOfProjectResponse)[];
/** The builds of `latest` and `current` whose provisioning profile or signing certificate has expired or expires within 60 days, the first to expire first. A latest build that is current in no channel is one of them while it has a link of the last 90 days. */
signing_ends: readonly (SigningEndOfProjectResponse)[];
/** The summary of the project. */
counts: ProjectCountsResponse;
/** The downloads of the last 14 days in UTC, the oldest first. The last number is of today. */
downloads_14d: readonly (number)[];
/** When a build was uploaded, promoted or downloaded last. Otherwise when the project was created. */
last_activity_at: string;
};

/** A project of a list. */
export type ListedProjectResponse = {
/** Id of the project. */
id: string;
/** The organization that owns the project. */
organization_id: string;
/** The name of the app. Unique in the organization. */
name: string;
/** Whether builds with any bundle id are accepted. Otherwise the first build of each platform pins it. */
allow_any_bundle_id: boolean;
/** The language of the mails to testers. */
language: Language;
/** Whether the managers of the project get mails before the provisioning profile or the signing certificate of a build expires that testers can get, and afterwards. */
signing_expiry_mails: boolean;
/** Promotes uploads of matching branches to a channel of the branch, without mails, and makes the channel if there is none. `null`: uploads make no channels. Channels need the plan `business`. */
branch_channels: BranchChannelsSetting | null;
/** When the project was created. */
created_at: string;
/** The icon of the newest build with one, at an address that gives access to the icon only and needs no credential. `null` when no build has one. */
icon_url: string | null;
/** The state of the project. Present with `include=summary`. */
summary?: ProjectSummaryResponse;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type ProjectPage = {
/** The items of the page, newest first. */
items: readonly (ListedProjectResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** A new project. */
export type CreateProjectRequest = {
/** The name of the app. Unique in the organization. Testers see it on install pages and in mails. */
name: string;
/** True: accept builds with any bundle id. False: the first build of each platform pins it. */
allow_any_bundle_id?: boolean;
/** The language of the mails to testers. Pages for testers follow the language of their browser. Default: `en`. */
language?: Language;
/** Whether the managers of the project get mails before the provisioning profile or the signing certificate of a build expires that testers can get, and afterwards. Default: true. */
signing_expiry_mails?: boolean;
/** Promotes uploads of matching branches to a channel of the branch, without mails, and makes the channel if there is none. `null`: uploads make no channels. Channels need the plan `business`. */
branch_channels?: BranchChannelsSetting | null;
};

/** An app that is distributed. Builds, channels, testers and tokens belong to a project. */
export type ProjectResponse = {
/** Id of the project. */
id: string;
/** The organization that owns the project. */
organization_id: string;
/** The name of the app. Unique in the organization. */
name: string;
/** Whether builds with any bundle id are accepted. Otherwise the first build of each platform pins it. */
allow_any_bundle_id: boolean;
/** The language of the mails to testers. */
language: Language;
/** Whether the managers of the project get mails before the provisioning profile or the signing certificate of a build expires that testers can get, and afterwards. */
signing_expiry_mails: boolean;
/** Promotes uploads of matching branches to a channel of the branch, without mails, and makes the channel if there is none. `null`: uploads make no channels. Channels need the plan `business`. */
branch_channels: BranchChannelsSetting | null;
/** When the project was created. */
created_at: string;
/** The icon of the newest build with one, at an address that gives access to the icon only and needs no credential. `null` when no build has one. */
icon_url: string | null;
};

/** Changes of a project. Absent fields stay as they are. */
export type UpdateProjectRequest = {
/** The name of the app. Unique in the organization. Testers see it on install pages and in mails. */
name?: string;
/** True: accept builds with any bundle id. False: the first build of each platform pins it. */
allow_any_bundle_id?: boolean;
/** The language of the mails to testers. Pages for testers follow the language of their browser. */
language?: Language;
/** Whether the managers of the project get mails before the provisioning profile or the signing certificate of a build expires that testers can get, and afterwards. */
signing_expiry_mails?: boolean;
/** Promotes uploads of matching branches to a channel of the branch, without mails, and makes the channel if there is none. `null`: uploads make no channels. Channels need the plan `business`. */
branch_channels?: BranchChannelsSetting | null;
};

/** A project access token, with its project. Without its value. */
export type OrganizationTokenResponse = {
/** Id of the project access token. */
id: string;
/** Id of the organization. */
organization_id: string;
/** The project that the token is bound to. */
project_id: string;
/** The name of the token. */
name: string;
/** The project role of the token. */
role: ProjectRole;
/** The last characters of the token, to recognize it by. */
last4: string;
/** The developer who created it. `null` when their account was deleted. */
created_by: string | null;
/** The name of that developer, or the e-mail address of one without a name. `null` when their account was deleted. */
created_by_label: string | null;
/** Whether the developer who received the value (the creator, or the one who rotated it last) has left the organization. They may still know it: rotate or revoke the token. */
creator_left: boolean;
/** When the token was created. */
created_at: string;
/** When the token expires. `null`: it is valid until it is revoked. */
expires_at: string | null;
/** When the token was last used, exact to a minute. `null` when it was never used. */
last_used_at: string | null;
/** The name of the project. */
project_name: string;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type OrganizationTokenPage = {
/** The items of the page, newest first. */
items: readonly (OrganizationTokenResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** The value of a token that was found somewhere. */
export type IdentifyTokenRequest = {
/** The value. It is neither stored nor logged. */
token: string;
};

/** The token that a value belongs to. */
export type IdentifiedTokenResponse = {
/** The kind of the token. */
kind: "project_access_token" | "personal_access_token";
/** Id of the token, to revoke it by. */
id: string;
/** The name of the token. */
name: string;
/** Whether the value works: `replaced` by a rotation, `expired` and `revoked` ones do not. */
state: "valid" | "replaced" | "expired" | "revoked";
/** The last characters of the token, to recognize it by. */
last4: string;
/** The project. `null` for a personal access token. */
project_id: string | null;
/** The name of the project. `null` for a personal access token. */
project_name: string | null;
/** The project role of the token. `null` for a personal access token. */
role: ProjectRole | null;
/** The developer who created it, or that a personal access token acts for: their name, or else their e-mail address. `null` when their account was deleted. */
developer_label: string | null;
/** When the token was created. */
created_at: string;
/** When the token expires. `null`: it is valid until it is revoked. */
expires_at: string | null;
/** When the token was last used, exact to a minute. `null` when it was never used. */
last_used_at: string | null;
};

/** A credential for scripts of a developer, bound to one organization. Without its value. */
export type PersonalAccessTokenResponse = {
/** Id of the personal access token. */
id: string;
/** The organization that the token is bound to. */
organization_id: string;
/** The developer that the token acts for. */
developer_id: string;
/** The name of the token. */
name: string;
/** The permissions of the token, as far as the roles of its developer allow them. */
scopes: readonly ("organization:read" | "projects:read" | "projects:write" | "builds:read" | "builds:upload" | "builds:download" | "builds:write" | "channels:read" | "channels:write" | "releases:read" | "releases:write" | "testers:read" | "testers:write" | "audit:read" | "billing:read")[];
/** The last characters of the token, to recognize it by. */
last4: string;
/** When the token was created. */
created_at: string;
/** When the token expires. `null`: it is valid until it is revoked. */
expires_at: string | null;
/** When the token was last used, exact to a minute. `null` when it was never used. */
last_used_at: string | null;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type PatPage = {
/** The items of the page, newest first. */
items: readonly (PersonalAccessTokenResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** A new personal access token. */
export type CreatePersonalAccessTokenRequest = {
/** Your name for the token, to recognize it by. */
name: string;
/** The permissions of the token. It can never do more than your roles allow. */
scopes: readonly ("organization:read" | "projects:read" | "projects:write" | "builds:read" | "builds:upload" | "builds:download" | "builds:write" | "channels:read" | "channels:write" | "releases:read" | "releases:write" | "testers:read" | "testers:write" | "audit:read" | "billing:read")[];
/** When the token expires. `null` or absent: it is valid until it is revoked. */
expires_at?: string | null;
};

/** A personal access token with its value, which only this response contains. */
export type NewPersonalAccessTokenResponse = {
/** Id of the personal access token. */
id: string;
/** The organization that the token is bound to. */
organization_id: string;
/** The developer that the token acts for. */
developer_id: string;
/** The name of the token. */
name: string;
/** The permissions of the token, as far as the roles of its developer allow them. */
scopes: readonly ("organization:read" | "projects:read" | "projects:write" | "builds:read" | "builds:upload" | "builds:download" | "builds:write" | "channels:read" | "channels:write" | "releases:read" | "releases:write" | "testers:read" | "testers:write" | "audit:read" | "billing:read")[];
/** The last characters of the token, to recognize it by. */
last4: string;
/** When the token was created. */
created_at: string;
/** When the token expires. `null`: it is valid until it is revoked. */
expires_at: string | null;
/** When the token was last used, exact to a minute. `null` when it was never used. */
last_used_at: string | null;
/** The value. Send it as `Authorization: Bearer …`. It is shown only in this response. */
token: string;
};

/** A personal access token to revoke. */
export type RevokeValueRequest = {
/** The value of the token. */
token: string;
};

/** A credential for CI that belongs to a project. Without its value. */
export type ProjectAccessTokenResponse = {
/** Id of the project access token. */
id: string;
/** Id of the organization. */
organization_id: string;
/** The project that the token is bound to. */
project_id: string;
/** The name of the token. */
name: string;
/** The project role of the token. */
role: ProjectRole;
/** The last characters of the token, to recognize it by. */
last4: string;
/** The developer who created it. `null` when their account was deleted. */
created_by: string | null;
/** The name of that developer, or the e-mail address of one without a name. `null` when their account was deleted. */
created_by_label: string | null;
/** Whether the developer who received the value (the creator, or the one who rotated it last) has left the organization. They may still know it: rotate or revoke the token. */
creator_left: boolean;
/** When the token was created. */
created_at: string;
/** When the token expires. `null`: it is valid until it is revoked. */
expires_at: string | null;
/** When the token was last used, exact to a minute. `null` when it was never used. */
last_used_at: string | null;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type ProjectAccessTokenPage = {
/** The items of the page, newest first. */
items: readonly (ProjectAccessTokenResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** A new project access token. */
export type CreateProjectAccessTokenRequest = {
/** Your name for the token, to recognize it by. */
name: string;
/** The project role of the token: at most your own. */
role: ProjectRole;
/** When the token expires. `null` or absent: it is valid until it is revoked. */
expires_at?: string | null;
};

/** A project access token with its value, which only this response contains. */
export type NewProjectAccessTokenResponse = {
/** Id of the project access token. */
id: string;
/** Id of the organization. */
organization_id: string;
/** The project that the token is bound to. */
project_id: string;
/** The name of the token. */
name: string;
/** The project role of the token. */
role: ProjectRole;
/** The last characters of the token, to recognize it by. */
last4: string;
/** The developer who created it. `null` when their account was deleted. */
created_by: string | null;
/** The name of that developer, or the e-mail address of one without a name. `null` when their account was deleted. */
created_by_label: string | null;
/** Whether the developer who received the value (the creator, or the one who rotated it last) has left the organization. They may still know it: rotate or revoke the token. */
creator_left: boolean;
/** When the token was created. */
created_at: string;
/** When the token expires. `null`: it is valid until it is revoked. */
expires_at: string | null;
/** When the token was last used, exact to a minute. `null` when it was never used. */
last_used_at: string | null;
/** The value. Send it as `Authorization: Bearer …`. It is shown only in this response. */
token: string;
};

/** How to replace the value of a token. */
export type RotateProjectAccessTokenRequest = {
/** How long the old value stays valid, in seconds. Default 0: it stops working immediately. */
overlap_seconds?: number;
};

/** The developer whom a credential acts for. */
export type CredentialDeveloperResponse = {
/** Id of the developer. */
id: string;
/** The e-mail address. */
email: string;
/** The name. `null` when there is none. */
name: string | null;
};

/** The organization that a token is bound to. */
export type CredentialOrganizationResponse = {
/** Id of the organization. */
id: string;
/** The name of the organization. */
name: string;
/** The plan that the organization is on. */
plan: Plan;
};

/** The project that a token is bound to. */
export type CredentialProjectResponse = {
/** Id of the project. */
id: string;
/** The name of the app. */
name: string;
};

/** The credential of a request and its permissions, without its value. */
export type CredentialResponse = {
/** `session`: the access token or cookie of a login. `personal_access_token`: acts for a developer in one organization. `project_access_token`: acts in one project. */
kind: "session" | "personal_access_token" | "project_access_token";
/** Id of the token or session. `null` for a session of an earlier version of the service. */
id: string | null;
/** The name of the token. `null` for a session. */
name: string | null;
/** The developer whom it acts for. `null` for a project access token. */
developer: CredentialDeveloperResponse | null;
/** The organization that it is bound to. `null` for a session: `GET /organizations` lists the organizations. */
organization: CredentialOrganizationResponse | null;
/** The project that it is bound to. `null` unless it is a project access token. */
project: CredentialProjectResponse | null;
/** The role of a project access token in its project. `null` for other credentials, which have the roles of their developer. */
role: ProjectRole | null;
/** The scopes of a personal access token. `null` for other credentials, which scopes do not limit. */
scopes: readonly ("organization:read" | "projects:read" | "projects:write" | "builds:read" | "builds:upload" | "builds:download" | "builds:write" | "channels:read" | "channels:write" | "releases:read" | "releases:write" | "testers:read" | "testers:write" | "audit:read" | "billing:read")[] | null;
/** When it expires. For the old value of a token that was rotated: the end of the overlap. `null`: it is valid until it is revoked. */
expires_at: string | null;
};

/** The request of a program, for the developer who confirms it. */
export type StartDeviceLoginRequest = {
/** The name of the machine, by which the developer recognizes it. The token is called `agate on` and this name. */
host: string;
/** The scopes of the personal access token. */
scopes: readonly ("organization:read" | "projects:read" | "projects:write" | "builds:read" | "builds:upload" | "builds:download" | "builds:write" | "channels:read" | "channels:write" | "releases:read" | "releases:write" | "testers:read" | "testers:write" | "audit:read" | "billing:read")[];
};

/** The codes of a login of a program (RFC 8628, section 3.2). */
export type StartedDeviceLoginResponse = {
/** The secret with which the program requests its token. Never show it. */
device_code: string;
/** The code that the person enters in the browser, or compares there. */
user_code: string;
/** The page on which a developer enters the code. */
verification_uri: string;
/** The page with the code filled in, to open it directly or show it as a QR code. */
verification_uri_complete: string;
/** The seconds to wait before each request for the token. */
interval: number;
/** The seconds until the codes expire. */
expires_in: number;
};

/** The device code of a login that was started. */
export type DeviceCodeRequest = {
/** The `device_code` of the start. */
device_code: string;
};

/** A login of a program, as shown to the developer who enters its code. */
export type DeviceLoginResponse = {
/** Whether you have decided, and how. */
state: "pending" | "confirmed" | "denied";
/** The name of the machine, as the program gives it. It proves nothing. */
host: string;
/** The scopes that the token will have. */
scopes: readonly ("organization:read" | "projects:read" | "projects:write" | "builds:read" | "builds:upload" | "builds:download" | "builds:write" | "channels:read" | "channels:write" | "releases:read" | "releases:write" | "testers:read" | "testers:write" | "audit:read" | "billing:read")[];
/** The IP address from which the program started the login. */
address: string | null;
/** The organization of the token. `null` unless you confirmed. */
organization_id: string | null;
/** When the program started the login. */
started_at: string;
/** When the code expires. */
expires_at: string;
};

/** The code of a login that was started. */
export type UserCodeRequest = {
/** The code that the program shows. Case, spaces and hyphens do not matter. */
user_code: string;
};

/** A new account for an invited address. */
export type InvitationLoginRequest = {
/** The token from the mailed link. */
token: string;
/** The new password: 10 to 256 characters, and not one of the most common ones. It is neither trimmed nor truncated. */
password: string;
/** Your name, as other members see it. */
name?: string;
/** For web pages: if true, the response is `204` and sets the cookies only, so that no script can read a token. Default: false. */
cookies_only?: boolean;
};

/** The tokens of a session. */
export type TokenPairResponse = {
/** The access JWT, valid for ten minutes. Send it as `Authorization: Bearer …`. */
token: string;
/** The refresh token. It works once; each refresh returns a new pair. */
refresh_token: string;
};

/** The credentials of a developer. */
export type LoginRequest = {
/** The address of the account. */
email: string;
/** The password of the account. */
password: string;
/** Required when a second factor is enabled: its current code, or a recovery code. */
mfa_code?: string;
/** The solution of a challenge of GET /api/v1/captcha?for=login. Required when the previous response had `details.captcha_required`. */
captcha?: string;
/** For web pages: if true, the response is `204` and sets the cookies only, so that no script can read a token. Default: false. */
cookies_only?: boolean;
};

/** The refresh token, for clients without cookies. */
export type RefreshRequest = {
/** The refresh token of the pair. Absent: the cookie `dfdeveloper_refresh` is used. */
refresh_token?: string;
/** For web pages: if true, the response is `204` and sets the cookies only, so that no script can read a token. Default: false. */
cookies_only?: boolean;
};

/** Which sessions to end, and the refresh token of a client without cookies. */
export type LogoutRequest = {
/** The refresh token of the pair, when the access JWT has expired. Absent: the cookie `dfdeveloper_refresh` is used. */
refresh_token?: string;
/** Whether only the session of the request ends. Default: false, all sessions of the developer end. */
only_this_session?: boolean;
};

/** An RSA public key (RFC 7517, RFC 7518 section 6.3). */
export type JwkResponse = {
/** The type of the key. */
kty: "RSA";
/** The key id in the header of every JWT that this key verifies. */
kid: string;
/** The algorithm of the signatures. */
alg: "RS256";
/** The key verifies signatures. */
use: "sig";
/** The modulus in base64url. */
n: string;
/** The exponent in base64url. */
e: string;
};

/** The public keys of access JWTs (RFC 7517, section 5). */
export type JwksResponse = {
/** All keys that a valid JWT may name. */
keys: readonly (JwkResponse)[];
};

/** A session of a developer, from a login until it ends. */
export type SessionResponse = {
/** Id of the session. */
id: string;
/** Whether this is the session of the request. */
current: boolean;
/** The time of the login. */
created_at: string;
/** The time of the last refresh. `null` when there was none. */
last_used_at: string | null;
/** The session ends then at the latest, and earlier when it is not refreshed for 30 days. */
expires_at: string;
/** The IP address of the login. `null` for a session of an earlier version of the service. */
address: string | null;
/** The `User-Agent` header of the login. `null` when there was none. */
user_agent: string | null;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type SessionPage = {
/** The items of the page, newest first. */
items: readonly (SessionResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** The state of the session in a browser's cookies, and its developer. */
export type SessionStateResponse = {
/** `active`: the access cookie is valid. `expired`: it is not, but the refresh cookie is; call `POST /login/refresh`. `none`: log in. */
state: "active" | "expired" | "none";
/** The account, as in `GET /developers/me`. `null` unless the state is `active`. */
developer: DeveloperResponse | null;
/** The organizations of the developer, as in `GET /organizations`. Empty unless the state is `active`. */
organizations: readonly (OrganizationResponse)[];
};

/** A purchase of credit. */
export type TopUpResponse = {
/** Id of the top-up. */
id: string;
/** Id of the organization. */
organization_id: string;
/** The credit, in micro-dollars. */
amount_micro_usd: number;
/** How it is paid. `manual`: an operator approves the top-up. */
provider: "manual" | "stripe";
/** `pending`: it is not paid yet. `paid`: the credit is on the balance. */
state: "pending" | "paid";
/** The payment page. `null` when an operator approves the top-up. */
checkout_url: string | null;
/** When the top-up was requested. */
created_at: string;
/** When it was paid. `null` while it is pending. */
paid_at: string | null;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type TopUpPage = {
/** The items of the page, newest first. */
items: readonly (TopUpResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** The reason of a ledger entry.  - `trial_credit`: the credit of a new organization. - `top_up`: credit that was bought. - `grant`: credit that an operator granted, or took back. - `plan_fee`: the flat fee of the plan. - `usage_storage`: stored bytes over time. - `usage_upload`: uploaded bytes. - `usage_download`: downloaded bytes. */
export type LedgerKind = "trial_credit" | "top_up" | "grant" | "plan_fee" | "usage_storage" | "usage_upload" | "usage_download";

/** A credit or charge. The sum of all entries is the balance. */
export type LedgerEntryResponse = {
/** Id of the ledger entry. */
id: string;
/** The reason of the entry. */
kind: LedgerKind;
/** In micro-dollars. Negative for a charge. */
amount_micro_usd: number;
/** For usage: in MB, or for storage in MB-months. `null` for other entries. */
quantity: number | null;
/** A calendar month, UTC. */
period: string;
/** Identifies the reason of the entry. Unique for each kind. */
reference: string;
/** When the entry was booked. */
created_at: string;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type LedgerPage = {
/** The items of the page, newest first. */
items: readonly (LedgerEntryResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** The account of a closed month. Amounts are in micro-dollars; charges are shown as positive amounts. */
export type StatementResponse = {
/** Id of the statement. */
id: string;
/** A calendar month, UTC. */
period: string;
/** The plan at the end of the period. */
plan: Plan;
/** The balance at the start of the month. */
opening_balance_micro_usd: number;
/** Top-ups, grants and trial credit. */
credits_micro_usd: number;
/** The fees of the plan. */
fees_micro_usd: number;
/** The cost of storage. */
storage_micro_usd: number;
/** The cost of uploads. */
upload_micro_usd: number;
/** The cost of downloads. */
download_micro_usd: number;
/** The balance at the end of the month: the balance at its start, plus credits, minus fees and usage. */
closing_balance_micro_usd: number;
/** Storage in MB-months: 1 MB stored for the whole month is 1. */
storage_mb_months: number;
/** Uploads, in MB. */
upload_mb: number;
/** Downloads, in MB. */
download_mb: number;
/** When the period was closed. */
created_at: string;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type StatementPage = {
/** The items of the page, newest first. */
items: readonly (StatementResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** The first pages of the lists of billing, of up to 50 items each. */
export type BillingListsResponse = {
/** As `GET /organizations/{organization_id}/billing/top-ups`. */
top_ups: TopUpPage;
/** As `GET /organizations/{organization_id}/billing/ledger`. */
ledger: LedgerPage;
/** As `GET /organizations/{organization_id}/billing/statements`. */
statements: StatementPage;
};

/** The billing account of an organization. Amounts are in micro-dollars. */
export type BillingAccountResponse = {
/** Id of the organization. */
organization_id: string;
/** The plan that the organization is on. */
plan: Plan;
/** `prepaid`: paid from the balance. `postpaid`: paid by a statement for each period. */
mode: "prepaid" | "postpaid";
/** The plan's flat fee for a period. */
plan_fee_micro_usd: number;
/** The fee that is charged at `next_fee_at` if the plan stays: of the month that begins then on a prepaid plan, of the part of the month that ends then on a postpaid one. */
next_fee_micro_usd: number;
/** When the next fee is charged: the end of the month. */
next_fee_at: string;
/** A calendar month, UTC. */
period: string;
/** The sum of the ledger. A negative balance is owed. */
balance_micro_usd: number;
/** Reserved for uploads and downloads in progress. */
reserved_micro_usd: number;
/** The cost of the usage in this period so far. */
spent_micro_usd: number;
/** The limit for usage in a month on a postpaid plan. `null` when there is no cap. */
spend_cap_micro_usd: number | null;
/** The available amount: the cap or the balance, minus spending and open reservations. `null` when nothing limits it. */
available_micro_usd: number | null;
/** Percentages of the budget at which members with the role BILLING or ADMIN are mailed. */
budget_alert_percents: readonly (number)[];
/** Whether usage is charged. False while artifacts are stored in a storage account of the organization. */
metered: boolean;
/** The prices of usage. */
prices: PricesResponse;
/** The newest top-ups, ledger entries and statements. Present with `include=lists`. */
lists?: BillingListsResponse;
};

/** Changes of the billing settings. Absent fields stay as they are. */
export type UpdateBillingRequest = {
/** The limit for usage in a month on a postpaid plan, in micro-dollars. `null` removes the cap, if the service allows it. Not allowed on a prepaid plan. */
spend_cap_micro_usd?: number | null;
/** Percentages of the budget at which members with the BILLING or ADMIN role receive a mail. An empty list turns the mails off. */
budget_alert_percents?: readonly (number)[];
};

/** The plan to switch to. */
export type ChangePlanRequest = {
/** The plan to switch to. `enterprise` is announced, but not available. */
plan: "team" | "business" | "enterprise";
};

/** The usage of a day (UTC). */
export type DailyUsageResponse = {
/** The day, in UTC. */
day: string;
/** Storage on this day in MB-months: the days of a month add up to 1 for 1 MB that is stored all the time. */
storage_mb_months: number;
/** Uploads, in MB. */
upload_mb: number;
/** Downloads, in MB. */
download_mb: number;
};

/** The usage of a month and its cost, in micro-dollars. */
export type UsageResponse = {
/** Id of the organization. */
organization_id: string;
/** A calendar month, UTC. */
period: string;
/** Size times duration: 1 MB stored for the whole month is 1. */
storage_mb_months: number;
/** Uploads, in MB. */
upload_mb: number;
/** Downloads, in MB. */
download_mb: number;
/** The cost of storage. */
storage_micro_usd: number;
/** The cost of uploads. */
upload_micro_usd: number;
/** The cost of downloads. */
download_micro_usd: number;
/** The cost of all usage, without the plan's fee. */
total_micro_usd: number;
/** Bytes of open uploads that are stored at this moment, whichever month is asked for. They are part of the storage until their upload is completed, dropped or expired, and counted within five minutes of their arrival. */
open_upload_bytes: number;
/** The days that have started. */
days: readonly (DailyUsageResponse)[];
};

/** Credit to buy. */
export type CreateTopUpRequest = {
/** The credit, in micro-dollars: 20000000 is 20 USD. */
amount_micro_usd: number;
};

/** The state of an organization's own storage account.  - `none`: no account is configured. - `configured`: the checks passed. Artifacts are still stored in the hosted store. - `active`: an operator directed new artifacts to the account. - `draining`: the teardown was requested, or an operator switched back. The account is removed when it is empty. */
export type ByosaState = "none" | "configured" | "active" | "draining";

/** The place of a bucket, without credentials. */
export type S3PlaceResponse = {
/** The URL that requests are sent to. */
endpoint: string;
/** The region of the bucket. */
region: string;
/** The name of the bucket. */
bucket: string;
/** Whether the bucket is in the path instead of the host name. */
force_path_style: boolean;
};

/** The place of a container, without credentials. */
export type AzurePlaceResponse = {
/** The URL that requests are sent to. */
endpoint: string;
/** The name of the storage account. */
account_name: string;
/** The name of the container. */
container: string;
};

/** An organization's own storage account, without its secrets. */
export type ByosaResponse = {
/** Id of the organization. */
organization_id: string;
/** `none` when no account is configured. */
state: ByosaState;
/** Whether new artifacts are stored there. Artifacts in this account are not metered. */
receives_artifacts: boolean;
/** The bucket. `null` when there is no account, or it is an Azure account. */
s3: S3PlaceResponse | null;
/** The container. `null` when there is no account, or it is an S3 bucket. */
azure: AzurePlaceResponse | null;
/** When the account was configured. `null` when there is none. */
created_at: string | null;
/** When its credentials or its state last changed. `null` when there is none. */
updated_at: string | null;
};

/** A bucket of a store with the S3 API, and credentials that may read, write, list and delete objects in it. */
export type S3AccountRequest = {
/** The URL of the store. Default: Amazon S3 in the region. */
endpoint?: string;
/** The region of the bucket. Stores without regions accept any, for example `us-east-1`. */
region: string;
/** The name of the bucket. It must exist. Use one for Agate alone. */
bucket: string;
/** Whether the bucket is in the path instead of the host name. Default: true with an endpoint, else false. */
force_path_style?: boolean;
/** The id of the access key. */
access_key_id: string;
/** The secret of the access key. It is stored encrypted and never returned. */
secret_access_key: string;
};

/** A container of Azure Blob Storage, and a key of its account. */
export type AzureAccountRequest = {
/** The URL of the store. Default: the account's endpoint in the Azure public cloud. */
endpoint?: string;
/** The name of the storage account. */
account_name: string;
/** The name of the container. It must exist. Use one for Agate alone. */
container: string;
/** A key of the storage account, in base64. It is stored encrypted and never returned. */
account_key: string;
};

/** A storage account: exactly one of `s3` and `azure`. */
export type PutByosaRequest = {
/** A bucket of a store with the S3 API. */
s3?: S3AccountRequest;
/** A container of Azure Blob Storage. */
azure?: AzureAccountRequest;
};

/** A check of a storage account, in the order in which the checks run.  - `resolve`: the host name of the endpoint resolves. - `public_address`: the endpoint has a public address. - `reach`: the endpoint accepts connections and its certificate is valid. - `clock_skew`: the clocks of the store and of the service agree. - `authenticate`: the store accepts the credentials. - `container`: the bucket or container exists. - `list`: the credentials may list objects. - `write`: the credentials may write an object. - `read_back`: the written object is read back unchanged. - `range_read`: a range of the object can be read. - `signed_url`: a signed URL downloads the object. - `upload_in_parts`: the store makes an object of two parts and lists them before, as large uploads need. - `delete`: the credentials may delete the object. */
export type ByosaCheckName = "resolve" | "public_address" | "reach" | "clock_skew" | "authenticate" | "container" | "list" | "write" | "read_back" | "range_read" | "signed_url" | "upload_in_parts" | "delete";

/** The result of a check.  - `passed`: the check succeeded. - `failed`: `message` says how to fix it. - `skipped`: an earlier check failed. */
export type ByosaCheckStatus = "passed" | "failed" | "skipped";

/** Why a check of a storage account failed.  - `unresolved`: the host name was not found, or resolves to an address that is not public. - `not_public`: the address of the endpoint is not public. - `not_https`: the endpoint does not use https. - `unreachable`: no object store responded at the address. - `connection`: the store reset the connection. - `tls`: the TLS connection failed. - `timeout`: the store was too slow. - `clock`: the clocks of the store and of the service differ. - `credentials`: the store rejects the credentials. - `unknown_key`: the store does not know the access key. - `expired_key`: the access key has expired. - `wrong_secret`: the secret does not match the access key. - `permission`: the credentials do not permit what the check does. - `container`: there is no such bucket or container. - `full`: the store is full or over its quota. - `failing`: the store responded with a server error. - `changed_bytes`: the store returned other bytes than were written. - `not_deleted`: a deleted object still exists. - `no_signed_urls`: the store cannot create signed URLs. - `signed_url_rejected`: the store rejected a signed URL. - `no_uploads_in_parts`: the store lacks an operation that uploads in parts need, such as ListParts. */
export type ByosaCheckReason = "unresolved" | "not_public" | "not_https" | "unreachable" | "connection" | "tls" | "timeout" | "clock" | "credentials" | "unknown_key" | "expired_key" | "wrong_secret" | "permission" | "container" | "full" | "failing" | "changed_bytes" | "not_deleted" | "no_signed_urls" | "signed_url_rejected" | "no_uploads_in_parts";

/** The result of one check of a storage account. */
export type ByosaCheckResponse = {
/** What was checked. */
name: ByosaCheckName;
/** The result. */
status: ByosaCheckStatus;
/** For a failed check: how to fix it. */
message: string;
/** Why a failed check failed. `null` for other checks. */
reason: ByosaCheckReason | null;
/** How long the check took, in milliseconds, rounded up to a multiple of 100. */
duration_ms: number;
};

/** The results of all checks of a storage account. */
export type ByosaDiagnosisResponse = {
/** Whether no check failed. */
ok: boolean;
/** All checks, in the order in which they ran. After a failure the rest are `skipped`. */
checks: readonly (ByosaCheckResponse)[];
};

/** The people who can use a link.  - `open`: all people. - `password`: people who type its password. - `sign_in`: testers of the project, after they type a code that is mailed to their address. - `members`: developers and tokens with the role `DOWNLOAD_BUILD`, through `POST /links/{link_id}/grant`. */
export type LinkAccess = "open" | "password" | "sign_in" | "members";

/** The terms of a link. */
export type LinkTermsResponse = {
/** The text, which pages show as plain text. */
text: string;
/** The number of the text. Acceptances name it. */
version: number;
};

/** Whether a link works.  - `live`: it does, for those whom its access admits. - `expired`: no longer: `expires_at` has passed. - `used_up`: no longer: it has reached `max_downloads`. */
export type LinkState = "live" | "expired" | "used_up";

/** A link of a build or channel. */
export type LinkResponse = {
/** Id of the link. */
id: string;
/** Id of the organization. */
organization_id: string;
/** Id of the project. */
project_id: string;
/** The build that the link opens. `null` for the link of a channel. */
build_id: string | null;
/** The channel that the link opens. `null` for the link of a build. */
channel_id: string | null;
/** Your name for the link. `null` when it has none. */
name: string | null;
/** Whether it is the link that the API shows as `install_url` of its build or channel. It cannot be deleted. */
is_default: boolean;
/** The people who can use the link. */
access: LinkAccess;
/** When the link stops working. `null`: never. It also ends the links in mails to testers about its build or channel. */
expires_at: string | null;
/** The number of downloads after which the link stops working. `null`: unlimited. */
max_downloads: number | null;
/** The downloads through the link since it first had a rule. */
used_downloads: number;
/** All downloads through the link. Counting ends at 10,000. Downloads of earlier releases of Agate do not count. */
downloads: number;
/** The testers who proved their address at the link and downloaded. 0 unless the access is or was `sign_in`. */
testers: number;
/** The terms to accept. `null`: none. */
terms: LinkTermsResponse | null;
/** Whether the link works: `live`, or no longer, because it has expired or reached its maximum of downloads. */
state: LinkState;
/** The address of the page. `null` for callers who may not download, and when the service cannot decrypt it: rotate it then. */
install_url: string | null;
/** The address of the page as a QR code. `null` without `install_url`, and for a link whose files need a grant: make the code from `install_url` then. */
qr_url: string | null;
/** When the address was created: with the link, or when it was rotated last. */
created_at: string;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type LinkPage = {
/** The items of the page, newest first. */
items: readonly (LinkResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** A new link of a build or of a channel. Name exactly one of the two. */
export type CreateLinkRequest = {
/** The people who can use the link. */
access?: LinkAccess;
/** The password of the access `password`. Only its hash is stored. */
password?: string | null;
/** When the link stops working. `null`: never. It also ends the links in mails to testers about its build or channel. */
expires_at?: string | null;
/** The number of downloads after which the link stops working. `null`: unlimited. */
max_downloads?: number | null;
/** The terms that a person must accept before the first download, as plain text of at most 10 kB. Another text must be accepted again. `null`: none. */
terms?: string | null;
/** The build that the link opens. */
build_id?: string;
/** The channel whose current releases the link opens. */
channel_id?: string;
/** Your name for the link. Visitors do not see it. */
name: string;
};

/** Changes of a link. Absent fields stay as they are. Each change of a rule ends the present visits. */
export type UpdateLinkRequest = {
/** The people who can use the link. */
access?: LinkAccess;
/** The password of the access `password`. Only its hash is stored. */
password?: string | null;
/** When the link stops working. `null`: never. It also ends the links in mails to testers about its build or channel. */
expires_at?: string | null;
/** The number of downloads after which the link stops working. `null`: unlimited. */
max_downloads?: number | null;
/** The terms that a person must accept before the first download, as plain text of at most 10 kB. Another text must be accepted again. `null`: none. */
terms?: string | null;
/** Your name for the link. */
name?: string | null;
};

/** An address that opens a link of any access for half an hour. */
export type LinkGrantResponse = {
/** The address of the page. It needs no password. Open it, or show it as a QR code to a phone of yours. */
url: string;
/** When the address stops working. A changed rule ends it earlier. */
expires_at: string;
};

/** The artifact and the metadata that it does not contain. An omitted part is read from the artifact, if the artifact contains it. */
export type UploadBuildForm = {
/** The version that people see. Default: read from the artifact. Required for files that carry no metadata. */
version?: string;
/** The number that distinguishes builds of one version: `CFBundleVersion` or `versionCode`. Default: read from the artifact. */
build_number?: string;
/** Default: read from the artifact, which it must not contradict (`platform_mismatch`). Required for files that carry no metadata. */
platform?: Platform;
/** Notes for testers, shown on the install page and in mails. */
notes?: string;
/** The SHA-256 of the file in hexadecimal. If the received bytes have another one, the upload is rejected (`sha256_mismatch`). */
sha256?: string;
/** The branch of the source code. */
branch?: string;
/** The commit of the source code. */
commit?: string;
/** The page of the CI job that made the build. */
ci_url?: string;
/** The number of the pull request or merge request that the build was made for. */
pull_request?: number;
/** The page of that pull request or merge request. */
pull_request_url?: string;
/** The title of that pull request. Has no effect without `pull_request` or `pull_request_url`. Longer than 256 characters, it is cut. */
pull_request_title?: string;
/** The commit of the previous build, which `commits` does not contain. Comparisons need it, to put the lists of several builds together. Has no effect without `commits`. */
commits_since?: string;
/** When the file was uploaded to the service that it is imported from. It is shown only. */
original_uploaded_at?: string;
/** Promotes the build to this channel immediately. Needs `MANAGE_RELEASES`. */
channel_id?: string;
/** Whether the subscribers of the channel of `channel_id` are mailed. Default: `true`. Has no effect without `channel_id`. */
notify?: boolean;
/** The artifact, with its file name. */
file: string;
/** The commits that the previous build did not contain, newest first: a JSON array of at most 100 objects, as in `POST /builds/uploads`. */
commits?: string;
};

/** The owner of the credential that uploaded the build. */
export type UploadedByResponse = {
/** `developer` or `project_access_token`. */
kind: string;
/** Id of the developer or token. */
id: string | null;
/** The name of the developer, or the e-mail address of one without a name, or the name of the token. `null` after the account or token was deleted. */
label: string | null;
};

/** A text by which an iOS app explains why it needs access. */
export type UsageDescriptionResponse = {
/** The key in the Info.plist. */
key: string;
/** The text that people see. */
text: string;
};

/** The app, as described by the artifact. All fields are `null` or empty for files that carry no metadata. */
export type AppResponse = {
/** The name of the app. `null` when the artifact does not contain it. */
name: string | null;
/** The bundle id (iOS) or application id (Android). `null` when the artifact does not contain it. */
bundle_id: string | null;
/** iOS: the oldest version that it runs on. `null` on other platforms. */
min_os_version: string | null;
/** iOS: iphone, ipad, tv, watch, vision. */
device_families: readonly (string)[];
/** Android: ABIs of the native code. Empty when it runs on any. */
abis: readonly (string)[];
/** Android: the lowest API level that it runs on. `null` on other platforms. */
min_sdk: number | null;
/** Android: the API level that it was made for. `null` on other platforms. */
target_sdk: number | null;
/** Whether a debugger can be attached. */
debuggable: boolean;
/** What the app may ask people for. Android: the permissions of the manifest. iOS: the keys of the usage descriptions. At most 200. `null` in lists, and when it was not recorded. */
permissions: readonly (string)[] | null;
/** iOS: the texts by which the app explains why it needs access. Empty on Android. `null` in lists, and when they were not recorded. */
usage_descriptions: readonly (UsageDescriptionResponse)[] | null;
};

/** A capability that a provisioning profile grants. */
export type EntitlementResponse = {
/** The name of the entitlement. */
key: string;
/** Its values, at most 10. A flag has the value `true` or `false`. */
values: readonly (string)[];
};

/** Why a signature is not valid, or was not checked. */
export type SigningProblemResponse = {
/** The signature scheme. */
scheme: "v1" | "v2" | "v3" | "v3.1";
/** What was found. `content_changed`: the file does not match its signature. `missing`: a signature that some devices require. `algorithm_not_checked` and `too_large_to_check` say that the scheme was not checked. New ones may be added. */
code: "content_changed" | "signature_invalid" | "malformed" | "missing" | "scheme_removed" | "signers_differ" | "lineage_invalid" | "newer_scheme_required" | "unsupported_archive" | "algorithm_unknown" | "algorithm_not_checked" | "too_large_to_check";
};

/** Whether a package is registered to a verified developer of Android. */
export type RegistrationResponse = {
/** `registered`: with this certificate. `other_certificate`: with other certificates only. `unknown`: Google gives no answer. New ones may be added. */
state: "registered" | "not_registered" | "other_certificate" | "unknown";
/** When this state was found. */
since: string;
};

/** The signature of an artifact. Fields of the other platform are `null`. */
export type SigningResponse = {
/** The platform whose fields are filled. */
platform: "ios" | "android";
/** iOS: development, adhoc, enterprise, appstore, simulator, none, unknown. */
kind: string | null;
/** iOS: the name of the provisioning profile. */
profile_name: string | null;
/** iOS: the id of the Apple developer team. */
team_id: string | null;
/** iOS: the name of the Apple developer team. */
team_name: string | null;
/** iOS: when the profile expires. After that the app does not start. */
expires_at: string | null;
/** iOS: number of devices in the profile. Null when the profile has no device list. */
device_count: number | null;
/** iOS: the capabilities that the provisioning profile grants, sorted by key. `null` on Android, in lists, and when they were not recorded. */
entitlements: readonly (EntitlementResponse)[] | null;
/** iOS: the ids (UDIDs) of the devices in the profile, at most 1000. `null` when the profile has no device list, for callers without `MANAGE_TESTERS`, in lists, and when they were not recorded. */
devices: readonly (string)[] | null;
/** iOS: what was compared with the code signature of the app. `info_plist`, `code_resources`, `entitlements`: these files are the signed ones. `signer`: the certificate signed the app. `certificate`: it was searched in the profile. `files`: the names of all files were compared with the signed list, and the contents of those that were read. All else was not checked, such as the pages of the code. What does not match is a warning. `null` on Android, and for builds that were uploaded before it was checked. New ones may be added. */
checks: readonly (string)[] | null;
/** Android: the signature schemes v1, v2, v3, v3.1. Empty when unsigned. */
schemes: readonly (string)[] | null;
/** SHA-256 of the signing certificate. Android: of the newest scheme that was verified, else of the newest one; see `certificate_verified`. iOS: `null` when the signature was not checked. */
certificate_sha256: string | null;
/** The subject of the signing certificate. See `certificate_verified`. */
certificate_subject: string | null;
/** Whether the owner of the certificate signed the file. `false` when no scheme was verified: then the file only claims to be signed with this certificate. `null` without a certificate. */
certificate_verified: boolean | null;
/** Android: whether devices of all API levels of the app accept its signatures. They are checked with the contents at the upload, as `apksigner verify` does. `false` has a `problem`. `null` when the app is not signed, or when a scheme that some devices use was not checked: app bundles, packages that are too large to check, and builds that were uploaded before signatures were checked. */
verified: boolean | null;
/** Android: the schemes that were verified. Schemes that no device of the API levels of the app uses are not checked. */
verified_schemes: readonly (string)[] | null;
/** Android: why the signature is not valid, or was not checked. `null` when nothing was found. */
problem: SigningProblemResponse | null;
/** Android: whether the package is registered to a verified developer, which Android requires in some countries. `null` when the operator of the service did not switch the check on, before it, and for app bundles and debug certificates. */
registration: RegistrationResponse | null;
};

/** The pull request or merge request that a build was made for, as the upload said. */
export type PullRequestResponse = {
/** Its number. `null` when the upload did not say. */
number: number | null;
/** Its page. `null` when the upload did not say. */
url: string | null;
/** Its title. `null` in lists, and when the upload did not say. */
title: string | null;
};

/** A commit of the source code, as the upload said. */
export type CommitResponse = {
/** Its hash, or the beginning of it, in hexadecimal. */
sha: string;
/** The first line of its message. Empty when it has none. */
subject: string;
/** The name of its author. `null` when the upload did not say. */
author: string | null;
};

/** The source code that a build was made from, as the upload said. */
export type SourceResponse = {
/** The branch. `null` when the upload did not say. */
branch: string | null;
/** The commit. `null` when the upload did not say. */
commit: string | null;
/** The page of the CI job. `null` when the upload did not say. */
ci_url: string | null;
/** The pull request. `null` when the upload named none. */
pull_request: PullRequestResponse | null;
/** The commits that the previous build did not contain, newest first. `null` in lists, and when the upload did not say. */
commits: readonly (CommitResponse)[] | null;
/** The commit of the previous build, which `commits` does not contain. `null` in lists, and when the upload did not say. */
commits_since: string | null;
};

/** A channel that the build was promoted to. */
export type BuildChannelResponse = {
/** Id of the channel. */
id: string;
/** The name of the channel. */
name: string;
/** Whether testers of the channel get this build: it is the current release of its platform. */
current: boolean;
};

/** How often the artifact was downloaded. Ranges and retries with one download URL count once. */
export type DownloadCountsResponse = {
/** All downloads. */
total: number;
/** Testers who downloaded it at least once. */
unique_testers: number;
};

/** What will fail, or may surprise, when the build is installed. */
export type WarningResponse = {
/** Names the kind of warning, for programs. New ones may be added. */
code: string;
/** Explains the warning to people. It may change. */
message: string;
};

/** The build that an upload made, and the release if it was promoted. */
export type UploadedBuildResponse = {
/** Id of the build. */
id: string;
/** Id of the organization. */
organization_id: string;
/** Id of the project. */
project_id: string;
/** The platform that the build runs on. */
platform: Platform;
/** The version that people see. */
version: string;
/** Distinguishes builds of one version. `null` when neither the upload nor the artifact contained it. */
build_number: string | null;
/** What to test. `null` when there are none. */
notes: string | null;
/** When the upload was complete. */
uploaded_at: string;
/** When the file was uploaded to the service that it was imported from, as the upload said. `null` for builds that were not imported. Lists, retention and billing use `uploaded_at`. */
original_uploaded_at: string | null;
/** Who uploaded it. */
uploaded_by: UploadedByResponse;
/** The name of the file, as it was uploaded. */
file_name: string;
/** The size of the file, in bytes. */
size_bytes: number;
/** The SHA-256 of the file, in hexadecimal. */
sha256: string;
/** The install link of the build. It is a credential to download, without an account, until the build is deleted or its link rotated. `null` for callers who may not download: below `DOWNLOAD_BUILD`, and personal access tokens without `builds:download`. `null` also when the service cannot decrypt it: rotate it then. The response to an upload always has it. */
install_url: string | null;
/** The install link as a QR code, an SVG image. It needs no other credential. `null` where `install_url` is `null`, and for a link with rules: make the code from `install_url` then. */
qr_url: string | null;
/** The icon of the app, at an address that gives access to the icon only and needs no credential. Its content never changes. `null` when the artifact contains none. */
icon_url: string | null;
/** What the artifact says about the app. */
app: AppResponse;
/** The signature of the artifact. `null` for platforms other than iOS and Android. */
signing: SigningResponse | null;
/** The source code that it was made from. */
source: SourceResponse;
/** The channels that it was promoted to, in the order of their names. Withdrawn releases do not count. */
channels: readonly (BuildChannelResponse)[];
/** How often it was downloaded. */
downloads: DownloadCountsResponse;
/** Whether the build is kept: neither retention nor `POST /builds/delete` deletes it. */
pinned: boolean;
/** When retention moves the build to the trash, unless a rule or the protection of the build changes before. `null` when no rule lets it go. */
expires_at: string | null;
/** When the build was moved to the trash. `null` for a build that is not in the trash. */
deleted_at: string | null;
/** When the file of a build in the trash is deleted. Until then its storage is metered, and the build can be restored. `null` for a build that is not in the trash. */
frees_bytes_at: string | null;
/** Whether a device can install it from its link now. */
installable: boolean;
/** The warning because of which no device installs it. `null` when it is installable. */
not_installable: WarningResponse | null;
/** What will fail or may surprise. Empty when nothing was found. */
warnings: readonly (WarningResponse)[];
/** The release that the build was promoted as. Absent when the upload named no channel and its branch has none. */
release_id?: string;
/** The attachment that a resumable upload added to the build. Absent when the upload made the build. */
attachment_id?: string;
/** Why the build was not promoted to the channel of its branch (`branch_channels` of the project): the plan has no channels, or the project has as many as allowed. Otherwise absent. */
branch_channel_problem?: "plan" | "quota";
};

/** What a file beside the artifact of a build is for.  - `update`: a package for the updater of the app. - `blockmap`: the block map of a package, for downloads of differences. - `dsym`: debug symbols of an app for Apple systems. - `mapping`: the mapping of a shrunk Android app. - `native`: debug symbols of native libraries. - `source_map`: a source map. - `sbom`: a bill of materials. - `other`: any other file. */
export type AttachmentKind = "update" | "blockmap" | "dsym" | "mapping" | "native" | "source_map" | "sbom" | "other";

/** The architecture that a file is for, in the words of Node.  - `x64`: 64-bit Intel and AMD. - `arm64`: 64-bit ARM, such as Apple silicon. - `ia32`: 32-bit Intel and AMD. - `universal`: several architectures in one file. */
export type Architecture = "x64" | "arm64" | "ia32" | "universal";

/** A file that is added to a build. */
export type AttachmentForm = {
/** `update`: a package for the updater of the app, beside a build that people install. `blockmap`: the block map of the file whose name it has before `.blockmap`. The other kinds are kept and can be downloaded. */
kind: AttachmentKind;
/** The architecture that the file is for. Default: read from the header of an ELF file (an AppImage), else from the file name. */
arch?: Architecture;
/** The signature of the file: of Sparkle the EdDSA signature, of Tauri the content of the `.sig` file. The service verifies none. */
signature?: string;
/** The SHA-256 of the file in hexadecimal. If the received bytes have another one, the upload is rejected (`sha256_mismatch`). */
sha256?: string;
/** The file, with its name. */
file: string;
};

/** A file beside the artifact of a build. */
export type AttachmentResponse = {
/** Id of the attachment. */
id: string;
/** Id of the build. */
build_id: string;
/** `update`: a package for the updater of the app, beside a build that people install. `blockmap`: the block map of the file whose name it has before `.blockmap`. The other kinds are kept and can be downloaded. */
kind: AttachmentKind;
/** The architecture that the file is for. `null` when it is unknown. */
arch: Architecture | null;
/** The name of the file. A build has each name once. */
file_name: string;
/** The size of the file, in bytes. */
size_bytes: number;
/** The SHA-256 of the file in lower-case hexadecimal. */
sha256: string;
/** The SHA-512 of the file in lower-case hexadecimal. */
sha512: string;
/** The signature of the file: of Sparkle the EdDSA signature, of Tauri the content of the `.sig` file. The service verifies none. */
signature: string | null;
/** When the file was uploaded. */
created_at: string;
};

/** A commit of the source code. */
export type CommitRequest = {
/** Its hash, or the beginning of it, in hexadecimal. */
sha: string;
/** The first line of its message. It may be empty. Longer than 256 characters, it is cut. */
subject: string;
/** The name of its author. Longer than 100 characters, it is cut. */
author?: string | null;
};

/** The file that the parts make up. The other fields are the text parts of `POST /builds`. */
export type StartUploadRequest = {
/** The version that people see. Default: read from the artifact. Required for files that carry no metadata. */
version?: string;
/** The number that distinguishes builds of one version: `CFBundleVersion` or `versionCode`. Default: read from the artifact. */
build_number?: string;
/** Default: read from the artifact, which it must not contradict (`platform_mismatch`). Required for files that carry no metadata. */
platform?: Platform;
/** Notes for testers, shown on the install page and in mails. */
notes?: string;
/** The SHA-256 of the file in hexadecimal. If the received bytes have another one, the upload is rejected (`sha256_mismatch`). */
sha256?: string;
/** The branch of the source code. */
branch?: string;
/** The commit of the source code. */
commit?: string;
/** The page of the CI job that made the build. */
ci_url?: string;
/** The number of the pull request or merge request that the build was made for. */
pull_request?: number;
/** The page of that pull request or merge request. */
pull_request_url?: string;
/** The title of that pull request. Has no effect without `pull_request` or `pull_request_url`. Longer than 256 characters, it is cut. */
pull_request_title?: string;
/** The commits that the previous build did not contain, newest first. An empty list says that there are none. Absent: unknown. */
commits?: readonly (CommitRequest)[];
/** The commit of the previous build, which `commits` does not contain. Comparisons need it, to put the lists of several builds together. Has no effect without `commits`. */
commits_since?: string;
/** When the file was uploaded to the service that it is imported from. It is shown only. */
original_uploaded_at?: string;
/** Promotes the build to this channel immediately. Needs `MANAGE_RELEASES`. */
channel_id?: string;
/** Whether the subscribers of the channel of `channel_id` are mailed. Default: `true`. Has no effect without `channel_id`. */
notify?: boolean;
/** The name of the file. Its extension decides how the artifact is read. */
file_name: string;
/** The exact size of the whole file, in bytes. */
size_bytes: number;
/** Adds the file to this build, instead of making one. It needs `kind`. Of the text parts of `POST /builds` only `sha256` has an effect then. */
build_id?: string;
/** `update`: a package for the updater of the app, beside a build that people install. `blockmap`: the block map of the file whose name it has before `.blockmap`. The other kinds are kept and can be downloaded. */
kind?: AttachmentKind;
/** The architecture that the file is for. Default: read from the header of an ELF file (an AppImage), else from the file name. */
arch?: Architecture;
/** The signature of the file: of Sparkle the EdDSA signature, of Tauri the content of the `.sig` file. The service verifies none. */
signature?: string;
};

/** A part of an upload. */
export type UploadPartResponse = {
/** The position of the part in the file, from 1. */
part_number: number;
/** Exact size of the part. */
size_bytes: number;
/** Whether the store has the whole part. Send the parts that have not arrived. */
arrived: boolean;
};

/** An upload in parts: how to cut the file, and which parts have arrived. */
export type ResumableUploadResponse = {
/** Id of the upload. */
id: string;
/** `open`: parts can be sent. `complete`: it has become a build. */
state: "open" | "complete";
/** The name of the file. */
file_name: string;
/** The size of the whole file, in bytes. */
size_bytes: number;
/** Size of every part but the last. */
part_size_bytes: number;
/** The number of parts. */
part_count: number;
/** When the upload expires: a day after its last use. `null` when it is complete. */
expires_at: string | null;
/** The build that the upload has made. `null` until it is complete. */
build_id: string | null;
/** All parts, in the order of their numbers. */
parts: readonly (UploadPartResponse)[];
};

/** The owner of the credential that started an upload. */
export type UploadCreatedByResponse = {
/** A personal access token counts as its developer. */
kind: "developer" | "project_access_token";
/** The id of the developer or the token. */
id: string | null;
/** The name of a developer, the e-mail address of one without a name, or the name of a token. `null` when it was deleted. */
label: string | null;
};

/** An upload that is not complete. */
export type OpenUploadResponse = {
/** Id of the upload. */
id: string;
/** The name of the file. */
file_name: string;
/** The size of the whole file, in bytes. */
size_bytes: number;
/** Size of every part but the last. */
part_size_bytes: number;
/** The number of parts. */
part_count: number;
/** The bytes of all parts that have arrived. `null` while the store is unavailable. */
arrived_bytes: number | null;
/** Who started the upload. `null` when that is unknown. */
created_by: UploadCreatedByResponse | null;
/** When the upload was started. */
created_at: string;
/** When the upload expires: a day after its last use, and a week after its start. */
expires_at: string;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type OpenUploadPage = {
/** The items of the page, newest first. */
items: readonly (OpenUploadResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** The parts to send next. */
export type PartUrlsRequest = {
/** The numbers of the parts, from 1. At most 100. */
part_numbers: readonly (number)[];
/** Where the URLs lead. `store`, the default: to the store if it signs URLs, otherwise to this service. `service`: always to this service, as paths without a host. Use it in browsers, which cannot send to a store of another origin. */
through?: "store" | "service";
};

/** A URL that accepts one part. */
export type PartUrlResponse = {
/** The number of the part. */
part_number: number;
/** The exact size of the part, in bytes. */
size_bytes: number;
/** Send the bytes of the part to this URL by PUT, without a form. No other credential is needed. With `through: service`, a path on the origin of this API. */
url: string;
/** When the URL expires: after 30 minutes. */
expires_at: string;
};

/** The URLs of the requested parts. */
export type PartUrlsResponse = {
/** One for each requested part, in the order of the request. */
urls: readonly (PartUrlResponse)[];
};

/** The attachments of a build. */
export type AttachmentsResponse = {
/** All of them, at most 20, the oldest first. */
items: readonly (AttachmentResponse)[];
};

/** Which builds are deleted: those that meet all conditions. At least one is required. */
export type DeletionFilterRequest = {
/** Builds of this platform. */
platform?: Platform;
/** Builds of exactly this version. */
version?: string;
/** Builds of this branch, or of the branches that match it as a pattern: `*` stands for any characters but `/`, `**` for any characters, `?` for one. */
branch?: string;
/** Builds that this developer or project access token uploaded. */
uploaded_by?: string;
/** Builds that were uploaded at this time or later. */
from?: string;
/** Builds that were uploaded before this time. */
to?: string;
};

/** Builds to delete: `ids`, or the `filter` of a preview with its `fingerprint`. */
export type DeleteBuildsRequest = {
/** The ids of the builds, each once. */
ids?: readonly (string)[];
/** The builds of the preview. */
filter?: DeletionFilterRequest;
/** The `fingerprint` of a preview of this filter that is less than an hour old, or of the response of the request before. */
fingerprint?: string;
/** `true` deletes the builds and their files now, with `ids` also from the trash. They cannot be restored then. */
permanently?: boolean;
/** With `ids` and `permanently`: `true` leaves builds that are not in the trash, because they were restored meanwhile. They are `not_found`. */
only_deleted?: boolean;
};

/** The outcome of a deletion for one build.  - `deleted`: it is in the trash or, with `permanently`, deleted. - `pinned`: it stays, because it is pinned. - `current`: it stays, because it is the current release of a channel. - `not_found`: the project has no such build. */
export type BuildDeletionOutcome = "deleted" | "current" | "pinned" | "not_found";

/** What was done with one build. */
export type BuildDeletionResponse = {
/** Id of the build. */
id: string;
/** What was done. */
outcome: BuildDeletionOutcome;
/** The channels whose current release keeps the build. Empty for other outcomes. */
channels: readonly (BuildChannelResponse)[];
/** When its file is deleted and its storage is no longer metered. Until then the build can be restored. `null` when it is not in the trash. */
frees_bytes_at: string | null;
};

/** What was done with all builds. */
export type BuildDeletionsResponse = {
/** The number of deleted builds. */
deleted: number;
/** The number of builds that meet the filter and are still to be deleted: repeat the request with the `fingerprint` of this response and another idempotency key. 0 with `ids`. */
remaining: number;
/** The fingerprint of the remaining builds, for the next request. `null` with `ids`. */
fingerprint: string | null;
/** When its file is deleted and its storage is no longer metered. Until then the build can be restored. `null` when it is not in the trash. */
frees_bytes_at: string | null;
/** One for each id, in the order of the ids. */
builds: readonly (BuildDeletionResponse)[];
};

/** Which builds to preview. */
export type PreviewDeletionRequest = {
/** The builds of the preview. */
filter: DeletionFilterRequest;
};

/** A build that would be deleted. */
export type DeletableBuildResponse = {
/** Id of the build. */
id: string;
/** The platform that the build runs on. */
platform: Platform;
/** The version that people see. */
version: string;
/** Distinguishes builds of one version. */
build_number: string | null;
/** The branch that it was made from. */
branch: string | null;
/** When the upload was complete. */
uploaded_at: string;
/** The size of the file, in bytes. */
size_bytes: number;
};

/** The builds that would be deleted now. */
export type DeletionPreviewResponse = {
/** The number of builds that would be deleted. */
builds: number;
/** The number of builds that meet the conditions and would stay, because they are protected. */
kept: number;
/** The size of their files, with attachments, in bytes. */
bytes: number;
/** What the storage of these files costs per month, in micro-dollars. 0 for files in the storage of the organization, and while the service does not bill. */
saves_micro_usd_per_month: number;
/** Up to 100 of the builds, the oldest first. */
sample: readonly (DeletableBuildResponse)[];
/** Proves the preview to the request that acts on it. It is valid for an hour. */
fingerprint: string;
/** When the fingerprint expires. */
fingerprint_expires_at: string;
};

/** Builds to restore. */
export type RestoreBuildsRequest = {
/** The ids of the builds, each once. */
ids: readonly (string)[];
};

/** What a restoration did with a build.  - `restored`: it left the trash, and its links work again. - `not_deleted`: it is not in the trash. - `not_found`: the project has no such build, or its trash was emptied. */
export type BuildRestorationOutcome = "restored" | "not_deleted" | "not_found";

/** What was done with one build. */
export type BuildRestorationResponse = {
/** Id of the build. */
id: string;
/** What was done. `not_deleted`: the build is not in the trash. */
outcome: BuildRestorationOutcome;
};

/** What was done with all builds. */
export type BuildRestorationsResponse = {
/** The number of restored builds. */
restored: number;
/** One for each id, in the order of the ids. */
builds: readonly (BuildRestorationResponse)[];
};

/** A text that differs. */
export type TextChangeResponse = {
/** Before. `null` when there was none. */
from: string | null;
/** Now. `null` when there is none. */
to: string | null;
};

/** A number that differs. */
export type NumberChangeResponse = {
/** Before. `null` when there was none. */
from: number | null;
/** Now. `null` when there is none. */
to: number | null;
};

/** Names that only one of the builds has. */
export type NamesChangeResponse = {
/** New names. */
added: readonly (string)[];
/** Removed names. */
removed: readonly (string)[];
};

/** Warnings that only one of the builds has, by their code. */
export type WarningsChangeResponse = {
/** New warnings. */
added: readonly (WarningResponse)[];
/** Warnings that are gone. */
removed: readonly (WarningResponse)[];
};

/** The size of all files of a kind. */
export type KindChangeResponse = {
/** The kind of the files. `code`: dex files, or the executable of an iOS app. `native`: native libraries of an Android app. New ones may be added. */
kind: "code" | "native" | "resources" | "assets" | "frameworks" | "plugins" | "other";
/** Bytes before. `null` when there were none. */
from: number | null;
/** Bytes now. `null` when there are none. */
to: number | null;
};

/** The size of a file. */
export type FileChangeResponse = {
/** The path in the artifact, in an .ipa without the folder of the app. Of a long path, its end. */
path: string;
/** Bytes before. `null` for a new file. */
from: number | null;
/** Bytes now. `null` for a removed file. */
to: number | null;
};

/** What grew and shrank, in bytes of the artifact, as it is downloaded. */
export type ContentsChangeResponse = {
/** The kinds of files whose sizes differ. */
kinds: readonly (KindChangeResponse)[];
/** The files whose sizes differ, the largest differences first, at most 50. Of large apps, the 300 largest files are compared. */
files: readonly (FileChangeResponse)[];
/** The number of further files whose sizes differ. */
further_files: number;
};

/** The commits that a build contains and an earlier one of its branch does not, as their uploads said. */
export type CommitsChangeResponse = {
/** The commits, newest first, at most 500. */
added: readonly (CommitResponse)[];
/** The number of further commits. */
further_commits: number;
/** The ids of builds before which commits are unknown: their uploads named none, or none that follow on an earlier build. Empty when the list is complete. */
missing: readonly (string)[];
};

/** What differs between two builds. A field is `null` when both have the same value. */
export type BuildDiffResponse = {
/** Id of the build. */
build_id: string;
/** The build that it was compared with. */
against: string;
/** The platform. `null` when it is the same. */
platform: TextChangeResponse | null;
/** The name of the app. `null` when it is the same. */
name: TextChangeResponse | null;
/** The bundle id or application id. `null` when it is the same. */
bundle_id: TextChangeResponse | null;
/** The version. `null` when it is the same. */
version: TextChangeResponse | null;
/** The build number. `null` when it is the same. */
build_number: TextChangeResponse | null;
/** The size of the artifact in bytes. `null` when it is the same. */
size_bytes: NumberChangeResponse | null;
/** The oldest version of the system that the app runs on. `null` when it is the same. */
min_os_version: TextChangeResponse | null;
/** Android: the lowest API level that the app runs on. `null` when it is the same. */
min_sdk: NumberChangeResponse | null;
/** Android: the API level that the app was made for. `null` when it is the same. */
target_sdk: NumberChangeResponse | null;
/** iOS: the kind of signing. `null` when it is the same. */
signing_kind: TextChangeResponse | null;
/** iOS: the name of the provisioning profile. `null` when it is the same. */
profile_name: TextChangeResponse | null;
/** iOS: the id of the Apple developer team. `null` when it is the same. */
team_id: TextChangeResponse | null;
/** Android: the SHA-256 of the signing certificate. With another certificate the app cannot be updated. `null` when it is the same. */
certificate_sha256: TextChangeResponse | null;
/** Permissions. `null` when they are the same, or unknown for one of the builds. */
permissions: NamesChangeResponse | null;
/** iOS: keys of entitlements. A key with other values is in both lists. `null` when they are the same, or unknown for one of the builds. */
entitlements: NamesChangeResponse | null;
/** Warnings. `null` when they are the same. */
warnings: WarningsChangeResponse | null;
/** Android: the ABIs of the native code. `null` when they are the same. */
abis: NamesChangeResponse | null;
/** Features of the device. Android: `uses-feature`. iOS: `UIRequiredDeviceCapabilities`. `null` when they are the same, or unknown for one of the builds. */
features: NamesChangeResponse | null;
/** Schemes of the addresses that open the app. `null` when they are the same, or unknown for one of the builds. */
url_schemes: NamesChangeResponse | null;
/** iOS: the frameworks and libraries in the app, without their versions. `null` when they are the same, or unknown for one of the builds. */
frameworks: NamesChangeResponse | null;
/** The files. `null` when their sizes are the same, or unknown for one of the builds. */
contents: ContentsChangeResponse | null;
/** The commits since the other build. `null` when it is not an earlier build of the same branch and platform, and when no upload from one to the other named commits. */
commits: CommitsChangeResponse | null;
};

/** An uploaded artifact of a project. */
export type BuildResponse = {
/** Id of the build. */
id: string;
/** Id of the organization. */
organization_id: string;
/** Id of the project. */
project_id: string;
/** The platform that the build runs on. */
platform: Platform;
/** The version that people see. */
version: string;
/** Distinguishes builds of one version. `null` when neither the upload nor the artifact contained it. */
build_number: string | null;
/** What to test. `null` when there are none. */
notes: string | null;
/** When the upload was complete. */
uploaded_at: string;
/** When the file was uploaded to the service that it was imported from, as the upload said. `null` for builds that were not imported. Lists, retention and billing use `uploaded_at`. */
original_uploaded_at: string | null;
/** Who uploaded it. */
uploaded_by: UploadedByResponse;
/** The name of the file, as it was uploaded. */
file_name: string;
/** The size of the file, in bytes. */
size_bytes: number;
/** The SHA-256 of the file, in hexadecimal. */
sha256: string;
/** The install link of the build. It is a credential to download, without an account, until the build is deleted or its link rotated. `null` for callers who may not download: below `DOWNLOAD_BUILD`, and personal access tokens without `builds:download`. `null` also when the service cannot decrypt it: rotate it then. The response to an upload always has it. */
install_url: string | null;
/** The install link as a QR code, an SVG image. It needs no other credential. `null` where `install_url` is `null`, and for a link with rules: make the code from `install_url` then. */
qr_url: string | null;
/** The icon of the app, at an address that gives access to the icon only and needs no credential. Its content never changes. `null` when the artifact contains none. */
icon_url: string | null;
/** What the artifact says about the app. */
app: AppResponse;
/** The signature of the artifact. `null` for platforms other than iOS and Android. */
signing: SigningResponse | null;
/** The source code that it was made from. */
source: SourceResponse;
/** The channels that it was promoted to, in the order of their names. Withdrawn releases do not count. */
channels: readonly (BuildChannelResponse)[];
/** How often it was downloaded. */
downloads: DownloadCountsResponse;
/** Whether the build is kept: neither retention nor `POST /builds/delete` deletes it. */
pinned: boolean;
/** When retention moves the build to the trash, unless a rule or the protection of the build changes before. `null` when no rule lets it go. */
expires_at: string | null;
/** When the build was moved to the trash. `null` for a build that is not in the trash. */
deleted_at: string | null;
/** When the file of a build in the trash is deleted. Until then its storage is metered, and the build can be restored. `null` for a build that is not in the trash. */
frees_bytes_at: string | null;
/** Whether a device can install it from its link now. */
installable: boolean;
/** The warning because of which no device installs it. `null` when it is installable. */
not_installable: WarningResponse | null;
/** What will fail or may surprise. Empty when nothing was found. */
warnings: readonly (WarningResponse)[];
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type BuildPage = {
/** The items of the page, newest first. */
items: readonly (BuildResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** A platform, and the number of builds that a project has for it. */
export type PlatformFacetResponse = {
/** The platform. */
value: Platform;
/** The number of builds for it, at most 5,000. */
count: number;
};

/** A version or branch, and the number of builds that a project has of it. */
export type TextFacetResponse = {
/** The version or branch. */
value: string;
/** The number of builds that have it, of the newest 5,000. */
count: number;
};

/** The values that filters of the list of builds can have, the latest uploaded first. */
export type BuildFacetsResponse = {
/** All platforms that have builds. */
platforms: readonly (PlatformFacetResponse)[];
/** The hundred versions that were uploaded last. */
versions: readonly (TextFacetResponse)[];
/** The hundred branches that were uploaded last. */
branches: readonly (TextFacetResponse)[];
};

/** Changes of a build. Absent fields stay as they are. */
export type UpdateBuildRequest = {
/** What to test. Testers see it on the install page. `null` removes it. */
notes?: string | null;
/** `true` keeps the build: neither retention nor `POST /builds/delete` deletes it. */
pinned?: boolean;
};

/** A URL that downloads an artifact. */
export type DownloadUrlResponse = {
/** Downloads the artifact. No other credential is needed, so pass it on with care. */
url: string;
/** When the URL stops working: after 30 minutes. */
expires_at: string;
};

/** The kind of device that downloaded, from its `User-Agent`.  - `iphone`: an iPhone or iPod. - `ipad`: an iPad, unless its browser pretends to be a Mac. - `android`: an Android device. - `mac`: a Mac. - `windows`: a Windows PC. - `linux`: a Linux or ChromeOS device. - `other`: a script, or an unknown device. */
export type DeviceFamily = "iphone" | "ipad" | "android" | "mac" | "windows" | "linux" | "other";

/** The downloads with one kind of device. */
export type DeviceDownloadsResponse = {
/** The kind of device. */
device_family: DeviceFamily;
/** The number of downloads. */
downloads: number;
};

/** The downloads of builds of one platform. */
export type PlatformDownloadsResponse = {
/** The platform of the builds. */
platform: Platform;
/** The number of downloads. */
downloads: number;
};

/** The downloads of a day (UTC). */
export type DayOfDownloadsResponse = {
/** The day, in UTC. */
day: string;
/** The number of downloads. */
downloads: number;
/** The number of different testers. Anonymous downloads count none. */
testers: number;
/** By kind of device, most downloads first. */
by_device: readonly (DeviceDownloadsResponse)[];
/** By platform, most downloads first. */
by_platform: readonly (PlatformDownloadsResponse)[];
};

/** The downloads of a range of days (UTC). */
export type DailyDownloadsResponse = {
/** The first day. */
from: string;
/** The last day. */
to: string;
/** The number of all downloads. */
downloads: number;
/** The number of different testers on all days together. Anonymous downloads count none. */
testers: number;
/** Every day of the range, in order. */
days: readonly (DayOfDownloadsResponse)[];
};

/** The tester whose install link was used. */
export type DownloadingTesterResponse = {
/** Id of the tester. */
id: string;
/** The name. `null` when none was given, or the tester was erased. */
name: string | null;
/** The address. `null` when the tester was erased. */
email: string | null;
};

/** The owner of the credential that made the download URL. */
export type MintedByResponse = {
/** `invite` (an install link), `update_key` (an installed app), `developer` or `project_access_token`. */
kind: string;
/** Id of the install link, developer or token. */
id: string | null;
/** The name of the developer, or the e-mail address of one without a name, or the name of the token. `null` for an install link, and after the account or token was deleted. */
label: string | null;
};

/** A download of a build, from its first byte. */
export type BuildDownloadResponse = {
/** Id of the download. */
id: string;
/** The build that was downloaded. */
build_id: string;
/** When the first byte was requested. */
started_at: string;
/** When the last missing byte was sent. `null` when the download is not complete, or when the store sends the bytes. */
completed_at: string | null;
/** Sent bytes, including retries. `null` until something is known. */
served_bytes: number | null;
/** The kind of device. */
device_family: DeviceFamily;
/** The tester whose install link was used. The id stays when the tester is erased. */
tester_id: string | null;
/** Name and address of that tester. `null` when the link of a build or channel, or an account, was used. */
tester: DownloadingTesterResponse | null;
/** The channel whose install link was used, or through which the tester was reached. */
channel_id: string | null;
/** Who made the download URL. */
minted_by: MintedByResponse;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type BuildDownloadPage = {
/** The items of the page, newest first. */
items: readonly (BuildDownloadResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** Among which builds the newest are counted.  - `project`: all builds of the project. - `platform`: the builds of each platform. - `branch`: the builds of each branch. */
export type RetentionGroup = "project" | "platform" | "branch";

/** A rule about builds. */
export type RetentionRuleResponse = {
/** The number of newest builds that are kept, of each group that `per` makes. `null`: none. */
keep_last: number | null;
/** The age in days up to which builds are kept. `null`: none. */
keep_days: number | null;
/** Among which builds `keep_last` counts. */
per: RetentionGroup;
/** Patterns of the branches that the rule is about. Empty: it is about all builds. */
branches: readonly (string)[];
};

/** The retention of a project. */
export type RetentionResponse = {
/** A build goes when at least one rule is about it and every rule about it lets it go. */
rules: readonly (RetentionRuleResponse)[];
/** Whether builds are deleted by the rules. `false` in a new project. */
enabled: boolean;
/** When it was set last. `null` when it was never set. */
updated_at: string | null;
};

/** A rule about builds. It lets a build go that is not among the `keep_last` newest and is older than `keep_days`. At least one of both is required. */
export type RetentionRuleRequest = {
/** The number of newest builds that are kept, of each group that `per` makes. */
keep_last?: number | null;
/** The age in days up to which builds are kept. */
keep_days?: number | null;
/** Among which builds `keep_last` counts: all of the rule, those of a platform, or those of a branch. Default: `project`. */
per?: RetentionGroup;
/** The rule is about builds from these branches only. Absent or empty: about all builds. `*` stands for any characters but `/`, `**` for any characters, `?` for one. */
branches?: readonly (string)[];
};

/** The retention of a project. */
export type SetRetentionRequest = {
/** The rules. Absent: those of the project stay as they are. */
rules?: readonly (RetentionRuleRequest)[];
/** Whether builds are deleted by the rules. */
enabled: boolean;
/** The `fingerprint` of a preview of these rules that is less than an hour old. Required when `enabled` is `true`. */
fingerprint?: string;
};

/** Rules to preview. */
export type PreviewRetentionRequest = {
/** The rules. Absent: those of the project. */
rules?: readonly (RetentionRuleRequest)[];
};

/** The branch whose channel is closed. */
export type CloseBranchRequest = {
/** The branch, as the uploads named it. */
branch: string;
};

/** The channel that was closed. */
export type ClosedBranchResponse = {
/** False when the branch has no channel: nothing was changed. */
closed: boolean;
/** The channel that was closed. `null` when there was none. */
channel_id: string | null;
};

/** The build that testers of a channel get on a platform. */
export type CurrentBuildResponse = {
/** The platform. */
platform: Platform;
/** The release that is current. */
release_id: string;
/** The number of the release in the channel. */
sequence: number;
/** When the build was promoted. */
promoted_at: string;
/** The build that was promoted. */
build_id: string;
/** The version that people see. */
version: string;
/** Distinguishes builds of one version. `null` when neither the upload nor the artifact contained it. */
build_number: string | null;
/** The size of the file, in bytes. */
size_bytes: number;
/** The icon of the app. `null` when the artifact contains none. */
icon_url: string | null;
/** Whether devices can install the build from its link now. */
installable: boolean;
};

/** A named release line of a project. Its install link always opens its current releases. */
export type ChannelResponse = {
/** Id of the channel. */
id: string;
/** Id of the organization. */
organization_id: string;
/** The project that the channel belongs to. */
project_id: string;
/** The name of the channel. Unique in the project. */
name: string;
/** Opens the channel's current releases. Stays the same until it is rotated. `null` for callers who may not download, and when the service cannot decrypt it: rotate it then. */
install_url: string | null;
/** The install link as a QR code, an SVG image. It needs no other credential. `null` where `install_url` is `null`, and for a link with rules: make the code from `install_url` then. */
qr_url: string | null;
/** When the channel was created. */
created_at: string;
/** The builds that testers get now: at most one per platform. Empty when nothing is promoted. */
current: readonly (CurrentBuildResponse)[];
/** The number of testers that are subscribed to the channel. */
subscribers: number;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type ChannelPage = {
/** The items of the page, newest first. */
items: readonly (ChannelResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** A new channel. */
export type CreateChannelRequest = {
/** The name of the channel. Unique in the project. Testers see it on install pages and in mails. */
name: string;
};

/** Changes of a channel. Absent fields stay as they are. */
export type UpdateChannelRequest = {
/** The name of the channel. Unique in the project. Testers see it on install pages and in mails. */
name?: string;
};

/** What is done for each of the testers.  - `subscribe`: they are subscribed to the channel. - `unsubscribe`: their subscription to the channel ends. - `invite`: they are mailed a link of their own. - `erase`: they are deleted with their address, subscriptions and links. */
export type BulkTestersAction = "subscribe" | "unsubscribe" | "invite" | "erase";

/** What is done for each of the testers. */
export type BulkTestersRequest = {
/** What is done. */
action: BulkTestersAction;
/** The channel to subscribe to, to unsubscribe from, or that the link of an invitation opens. */
channel_id?: string;
/** The build that the link of an invitation opens. */
build_id?: string;
/** The testers. */
tester_ids: readonly (string)[];
};

/** Why nothing was done for a tester.  - `not_found`: the project has no such tester. - `left`: they unsubscribed. - `unchanged`: they were not subscribed. - `unopened`: they got as many mails as a tester gets before they open a link. - `rate_limited`: they got the maximum of links within an hour, or the organization queued all mails of the next days. */
export type BulkSkipReason = "not_found" | "left" | "unchanged" | "unopened" | "rate_limited";

/** A tester for whom nothing was done. */
export type SkippedTesterResponse = {
/** Id of the tester. */
tester_id: string;
/** `not_found`: the project has no such tester. `left`: they unsubscribed. `unchanged`: they were not subscribed. `unopened`: they got as many mails as a tester gets before they open a link. `rate_limited`: they got the maximum of links within an hour, or the organization queued all mails of the next days. */
reason: BulkSkipReason;
};

/** The outcome of an act on many testers. */
export type BulkTestersResponse = {
/** The number of testers for whom it was done. */
done: number;
/** The testers for whom it was not possible. */
skipped: readonly (SkippedTesterResponse)[];
};

/** The subscribers of a channel: the whole set, or changes of it. */
export type ChangeSubscribersRequest = {
/** The whole set: all other subscribers are unsubscribed. Excludes `add` and `remove`. */
tester_ids?: readonly (string)[];
/** Testers to subscribe. */
add?: readonly (string)[];
/** Testers to unsubscribe. */
remove?: readonly (string)[];
};

/** The outcome of a change of subscribers for one tester.  - `subscribed`: the tester is subscribed now. - `unsubscribed`: the tester is no longer subscribed. - `unchanged`: the tester was subscribed, or not subscribed, before. - `suppressed`: the tester unsubscribed before, so nothing was changed. - `not_found`: the project has no such tester. */
export type SubscriberOutcome = "subscribed" | "unsubscribed" | "unchanged" | "suppressed" | "not_found";

/** The outcome for one tester. */
export type SubscriberOutcomeResponse = {
/** Id of the tester. */
id: string;
/** What was done. */
outcome: SubscriberOutcome;
};

/** The outcome of a change of a channel's subscribers. */
export type ChangedSubscribersResponse = {
/** The number of testers that were subscribed. */
subscribed: number;
/** The number of testers that were unsubscribed. */
unsubscribed: number;
/** The number of testers that are subscribed now. */
subscribers: number;
/** One for each id of the request, in its order: first `add`, then `remove`. */
testers: readonly (SubscriberOutcomeResponse)[];
};

/** A new tester. */
export type CreateTesterRequest = {
/** The address that mails are sent to. It identifies the tester in the project and cannot be changed. */
email: string;
/** The name of the tester, for mails and lists. `null` or absent: none. */
name?: string | null;
};

/** Testers to add, in one step. */
export type TesterBatchRequest = {
/** The testers. An address that occurs twice becomes one tester. */
testers: readonly (CreateTesterRequest)[];
};

/** The outcome of an import for one address.  - `created`: the tester was added. - `existing`: the project already had a tester with this address. - `suppressed`: the tester unsubscribed before, so nothing was changed. */
export type TesterImportOutcome = "created" | "existing" | "suppressed";

/** The outcome of one line. */
export type ImportedTesterResponse = {
/** Id of the tester. `null` when the project has no tester with the address: it is suppressed, or would be added without `dry_run`. */
id: string | null;
/** The address of the line. */
email: string;
/** `suppressed`: the tester unsubscribed before, so nothing was changed. */
outcome: TesterImportOutcome;
};

/** The outcomes of all lines. */
export type ImportedTestersResponse = {
/** The number of testers that were added or, with `dry_run`, would be. */
created: number;
/** The number of lines with an address that the project already has. */
existing: number;
/** The number of lines with an address that unsubscribed before. */
suppressed: number;
/** One for each line, in the order of the lines. */
testers: readonly (ImportedTesterResponse)[];
};

/** The state of a tester.  - `added`: not mailed yet. - `invited`: mailed an install link, and opened none yet. - `opened`: opened a link, and downloaded nothing yet. - `has_current`: their last download is the build that their channels offer or a newer one, or they offer none for its platform. - `behind`: they lack a current build of the platform of their last download. - `left`: they unsubscribed. Only they can subscribe again. - `bounced`: the mail server says that the address is invalid. They get no mails until they are invited again. */
export type TesterState = "added" | "invited" | "opened" | "has_current" | "behind" | "left" | "bounced";

/** A step in the adoption of a release or build.  - `has_it`: their newest download of the platform is the build. - `has_newer`: their newest download of the platform is a newer build. - `downloaded`: they downloaded the build, and since another build of the platform that is not newer. - `bounced`: their address is invalid. - `opened`: they opened one of their links since the promotion or the mail. - `mailed`: a mail about it, a reminder, an invitation to the build or, since the promotion, to its channel was queued to them. - `not_mailed`: none was queued to them. - `has_not`: they lack the build: all steps but `has_it` and `has_newer`. */
export type AdoptionFilter = "has_it" | "has_newer" | "downloaded" | "bounced" | "opened" | "mailed" | "not_mailed" | "has_not";

/** What the testers lack.  - `current`: one of the current builds of their channels. */
export type HasNotFilter = "current";

/** The state of a subscription.  - `subscribed`: the tester is mailed at each promotion. - `suppressed`: the tester unsubscribed. Only they can resubscribe, through their own link. */
export type SubscriptionState = "subscribed" | "suppressed";

/** The relation of a tester to a channel. */
export type SubscriptionResponse = {
/** Id of the channel. */
channel_id: string;
/** `suppressed`: the tester unsubscribed. Only they can resubscribe. */
state: SubscriptionState;
};

/** The newest download of a tester. */
export type LastDownloadResponse = {
/** Id of the build. */
build_id: string;
/** The version that people see. */
version: string;
/** Its build number. `null` when it has none. */
build_number: string | null;
/** The platform of the build. */
platform: Platform;
/** The kind of device. */
device_family: DeviceFamily;
/** When the first byte was requested. */
at: string;
};

/** A person who installs builds of a project without an account. */
export type TesterResponse = {
/** Id of the tester. */
id: string;
/** Id of the organization. */
organization_id: string;
/** Id of the project. */
project_id: string;
/** The address that mails are sent to, as it was entered. */
email: string;
/** The name of the tester. `null` when none was given. */
name: string | null;
/** Whether the tester chose to stop testing the project. */
declined: boolean;
/** The channels that the tester is subscribed to, or unsubscribed from. */
subscriptions: readonly (SubscriptionResponse)[];
/** The state of the tester. `null` for callers without `MANAGE_TESTERS`. `added`: not mailed yet. `invited`: mailed a link. `opened`: opened one. `has_current`: they downloaded a build, and are not `behind`. `behind`: another build is current in their channels. `left`: they unsubscribed. `bounced`: the mail server says that the address is invalid, so they get no mails. */
state: TesterState | null;
/** When the last mail with an install link was queued, an invitation or about a release. `null` before, and for callers without `MANAGE_TESTERS`. */
invited_at: string | null;
/** When the tester first opened one of their links. `null` before, and for callers without `MANAGE_TESTERS`. */
opened_at: string | null;
/** When the mail server said that the address is invalid. No mails are sent to it until `POST /testers/{tester_id}/invite` tries again. `null` while mails are sent, and for callers without `MANAGE_TESTERS`. */
bounced_at: string | null;
/** The status that the mail server gave, such as `5.1.1` (RFC 3463): unknown mailbox; `550` from a server without such codes. `null` while `bounced_at` is. */
bounce_code: string | null;
/** The newest download through a link of the tester. `null` when the download log has none, and for callers without `MANAGE_TESTERS`. */
last_download: LastDownloadResponse | null;
/** When the tester was added. */
created_at: string;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type TesterPage = {
/** The items of the page, newest first. */
items: readonly (TesterResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** Changes of a tester. Absent fields stay as they are. */
export type UpdateTesterRequest = {
/** The name of the tester, for mails and lists. `null` removes it. */
name?: string | null;
};

/** A download through a link of a tester, from its first byte. */
export type TesterDownloadResponse = {
/** Id of the download. */
id: string;
/** The build that was downloaded. */
build_id: string;
/** When the first byte was requested. */
started_at: string;
/** When the last missing byte was sent. `null` when the download is not complete, or when the store sends the bytes. */
completed_at: string | null;
/** Sent bytes, including retries. `null` until something is known. */
served_bytes: number | null;
/** The kind of device. */
device_family: DeviceFamily;
/** The channel whose install link was used, or through which the tester was reached. */
channel_id: string | null;
/** The version that people see. */
version: string;
/** Its build number. `null` when it has none. */
build_number: string | null;
/** The platform of the build. */
platform: Platform;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type TesterDownloadPage = {
/** The items of the page, newest first. */
items: readonly (TesterDownloadResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** The build that the link opens, if it is not a channel. */
export type InviteTesterRequest = {
/** The build that the link opens. */
build_id?: string;
};

/** The format of a file of devices.  - `apple`: the file in which Apple's developer site and fastlane register many devices. - `csv`: CSV with tester, model and state. */
export type DeviceFileFormat = "apple" | "csv";

/** The outcome of an import. */
export type ImportedDevicesResponse = {
/** The number of devices that were added or, with `dry_run`, would be. */
created: number;
/** The number of devices that the project already has. */
existing: number;
};

/** The platform of a device in Apple's files.  - `ios`: an iPhone, iPad, iPod, watch or Apple TV. - `mac`: a Mac. */
export type DevicePlatform = "ios" | "mac";

/** A device of Apple that a tester uses. */
export type DeviceResponse = {
/** Id of the device. */
id: string;
/** Id of the organization. */
organization_id: string;
/** Id of the project. */
project_id: string;
/** The tester who uses it. `null` when it was registered through a link that names none. */
tester_id: string | null;
/** The address of the tester. */
tester_email: string | null;
/** The name of the tester. */
tester_name: string | null;
/** The name of the device. */
name: string | null;
/** The platform in files for Apple. iPads, watches and Apple TVs count as `ios`. */
platform: DevicePlatform;
/** Apple's code of the model. `null` when unknown. */
product: string | null;
/** The name of the model; the code when it is unknown. `null` without a code. */
model: string | null;
/** The build of its system when it was registered. `null` when unknown. */
os_version: string | null;
/** The id (UDID) of the device, as its owner stated it. `null` without `include=udid`, and when the service cannot decrypt it. */
udid: string | null;
/** Whether it is in the provisioning profile of the build: of `build_id`, else of the newest one whose profile names devices. `null` when there is none, or the profile of `build_id` names no devices. */
provisioned: boolean | null;
/** When a member said that it is registered with Apple. `null` before. */
registered_at: string | null;
/** When it was first found in the profile of a build. `null` before. */
included_at: string | null;
/** When it was registered in the project. */
created_at: string;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type DevicePage = {
/** The items of the page, newest first. */
items: readonly (DeviceResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** Devices that are registered with Apple. */
export type MarkRegisteredRequest = {
/** The devices. Unknown ids are skipped. */
ids: readonly (string)[];
};

/** The number of devices that were marked. */
export type MarkedRegisteredResponse = {
/** The number of devices that were not marked before. */
marked: number;
};

/** Changes of a device. Absent fields stay as they are. */
export type UpdateDeviceRequest = {
/** The name of the device. `null` removes it. */
name?: string | null;
/** The tester who uses the device. `null`: none. */
tester_id?: string | null;
};

/** The owner of the credential that promoted the build. */
export type PromotedByResponse = {
/** `developer` or `project_access_token`. */
kind: string;
/** Id of the developer or token. */
id: string | null;
/** The name of the developer, or the e-mail address of one without a name, or the name of the token. `null` after the account or token was deleted. */
label: string | null;
};

/** The number of mails that testers get about a release. */
export type ReleaseMailsResponse = {
/** Mails that were given to the mail server or wait for it. */
queued: number;
/** Mails that follow later, because their testers got several mails within a short time. */
waiting: number;
/** Mails that the mail server refused for good. `GET /testers?state=bounced` lists the testers whose address is invalid. */
failed: number;
};

/** A build as releases show it. `GET /builds/{build_id}` has all its fields. */
export type ReleaseBuildResponse = {
/** Id of the build. */
id: string;
/** The platform that the build runs on. */
platform: Platform;
/** The version that people see. */
version: string;
/** Distinguishes builds of one version. `null` when neither the upload nor the artifact contained it. */
build_number: string | null;
/** The name of the app. `null` when the artifact does not contain it. */
app_name: string | null;
/** The bundle id or application id. `null` when the artifact does not contain it. */
bundle_id: string | null;
/** The oldest version of the system that the app runs on. `null` when it is unknown. */
min_os_version: string | null;
/** Android: the lowest API level that the app runs on. `null` on other platforms. */
min_sdk: number | null;
/** The build's own notes. `null` when there are none. */
notes: string | null;
/** The name of the file, as it was uploaded. */
file_name: string;
/** The size of the file, in bytes. */
size_bytes: number;
/** The SHA-256 of the file, in hexadecimal. */
sha256: string;
/** When the upload was complete. */
uploaded_at: string;
/** Whether devices can install the build from its link now. */
installable: boolean;
/** The build's own install link. It always opens this build. `null` for callers who may not download, and when the service cannot decrypt it. */
install_url: string | null;
/** The icon of the app, at an address that gives access to the icon only and needs no credential. Its content never changes. `null` when the artifact contains none. */
icon_url: string | null;
};

/** A build that was promoted to a channel. */
export type ReleaseResponse = {
/** Id of the release. */
id: string;
/** Id of the organization. */
organization_id: string;
/** Id of the project. */
project_id: string;
/** The channel that the build was promoted to. */
channel_id: string;
/** The build that was promoted. */
build_id: string;
/** The platform of the build. */
platform: Platform;
/** 1 for the first release of the channel. No number is used twice. */
sequence: number;
/** Whether the release is the newest of its platform in the channel. */
current: boolean;
/** The notes of the promotion. `null` when it had none: testers then see the build's own notes. */
notes: string | null;
/** Whether subscribers are mailed about it, as the promotion said. */
notify: boolean;
/** Whether installed apps that check for updates must install the build. */
mandatory: boolean;
/** When the build was promoted. */
promoted_at: string;
/** Who promoted it. */
promoted_by: PromotedByResponse;
/** The mails to testers about the release. `null` before the first one, and 30 days after another release replaced it. */
mails: ReleaseMailsResponse | null;
/** The build that was promoted. */
build: ReleaseBuildResponse;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type ReleasePage = {
/** The items of the page, newest first. */
items: readonly (ReleaseResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** The testers to remind. */
export type RemindRequest = {
/** The testers to remind. Absent: all testers of the audience who lack the build. */
tester_ids?: readonly (string)[];
};

/** Why a tester is not reminded.  - `has_it`: they have the build. - `has_newer`: they have a newer build. - `bounced`: their address is invalid. - `left`: they unsubscribed. - `reminded_recently`: they were reminded within the last 24 hours. - `not_in_audience`: the release does not concern them. - `unopened`: they got as many mails as a tester gets before they open a link. */
export type ReminderSkipReason = "has_it" | "has_newer" | "bounced" | "left" | "reminded_recently" | "not_in_audience" | "unopened";

/** A tester who is not reminded. */
export type SkippedReminderResponse = {
/** Id of the tester. */
tester_id: string;
/** `has_it`: they have the build. `has_newer`: they have a newer build. `bounced`: their address is invalid. `left`: they unsubscribed. `reminded_recently`: within the last 24 hours. `not_in_audience`: the release does not concern them. `unopened`: they got as many mails as a tester gets before they open a link. */
reason: ReminderSkipReason;
};

/** The outcome of a reminder. */
export type RemindersResponse = {
/** The number of testers who are reminded. */
queued: number;
/** The testers who are not reminded, at most 1000. Without `tester_ids`: of those who lack the build. */
skipped: readonly (SkippedReminderResponse)[];
};

/** A build to promote. */
export type CreateReleaseRequest = {
/** The build to promote. */
build_id: string;
/** Notes for testers. When absent, testers see the build's own notes. */
notes?: string | null;
/** Whether the subscribers of the channel are mailed. Default: `true`. */
notify?: boolean;
/** Whether installed apps that check for updates must install the build. Testers who are mailed are not affected. Default: false. */
mandatory?: boolean;
};

/** The testers whom a promotion would reach. */
export type RecipientsResponse = {
/** The number of testers that are subscribed to the channel. */
subscribers: number;
/** The number of subscribers whom a promotion mails. The others chose other platforms, got as many mails as a tester gets before they open a link, or have an invalid address. */
recipients: number;
};

/** The state of the channel after a promotion was undone. */
export type UndoneReleaseResponse = {
/** The release of the platform that is current again. `null` when the channel has none. */
current: ReleaseResponse | null;
};

/** The name that a tester gives one of their devices. */
export type NameDeviceRequest = {
/** The name. Absent or empty: none. */
name?: string;
};

/** The change that a tester makes through their link. Most links need no body. */
export type InviteActionRequest = {
/** The channel, for a link that names no channel. */
channel_id?: string;
/** Sent by mail programs (RFC 8058). */
'List-Unsubscribe'?: string;
};

/** The password of a link. */
export type UnlockLinkRequest = {
/** The password of the link. */
password: string;
/** The solution of a challenge of GET /api/v1/captcha. Required when the service has a captcha configured. */
captcha?: string;
};

/** The address of a tester who signs in at a link and, in a second request, the code that was mailed to it. */
export type SignInAtLinkRequest = {
/** The address of the tester. */
email: string;
/** The mailed code. Absent: a code is mailed. */
code?: string;
/** The solution of a challenge of GET /api/v1/captcha. Required when the service has a captcha configured. */
captcha?: string;
};

/** The terms that a visitor accepts. */
export type AcceptTermsRequest = {
/** The version of the terms that the page showed. */
version: number;
};

/** The platforms that a tester is mailed about. */
export type ChooseMailPlatformsRequest = {
/** The platforms. Absent: all. */
platforms?: readonly ("ios" | "android" | "macos" | "windows" | "linux")[];
/** The platforms that the form of the page offers. When `platforms` has all of them, it stands for all platforms, also for those that are added later. */
offered?: readonly ("ios" | "android" | "macos" | "windows" | "linux")[];
};

/** The current build, as the SDKs of Visual Studio App Center parse it. */
export type AppCenterReleaseResponse = {
/** The number of the release; for the key of a project, a time. */
id: number;
/** The version code of Android, a number, or `CFBundleVersion`, a string. */
version: unknown;
/** The version that people see. */
short_version: string;
/** The size of the file, in bytes. */
size: number;
/** The notes of the promotion, else those of the build. */
release_notes: string | null;
/** Always `null`. */
release_notes_url: string | null;
/** The lowest version of iOS. `1.0` when it is unknown. */
min_os: string;
/** The lowest API level of Android. 1 when it is unknown. */
android_min_api_level: number;
/** `apk` or `ipa`. */
fileExtension: string;
/** The file. Each download of it is charged. */
download_url: string;
/** On iOS the link that starts the installation. */
install_url: string;
/** Whether the dialog of the SDK can be closed only by updating. */
mandatory_update: boolean;
/** Hashes of the installed app, for the SDK. */
package_hashes: readonly (string)[];
/** The channel or, without one, the project. */
distribution_group_id: string;
/** Always `available`. */
status: string;
};

/** The current build, for Electron's built-in updater on macOS. */
export type SquirrelUpdateResponse = {
/** The file: a zip of the signed app. Each download of it is charged. */
url: string;
/** The version that people see. */
name: string;
/** The notes; may be empty. */
notes: string;
/** When the build was promoted or, for the key of a whole project, uploaded. */
pub_date: string;
};

/** The current build, for the updater of Tauri 2. */
export type TauriUpdateResponse = {
/** The version that people see. */
version: string;
/** The file. Each download of it is charged. */
url: string;
/** The content of the `.sig` file, as it was stored for the build or sent with the attachment. */
signature: string;
/** The notes; may be empty. */
notes: string;
/** When the build was promoted or, for the key of a whole project, uploaded. */
pub_date: string;
};

/** The lowest version of each platform that a project still supports. */
export type MinSupportedResponse = {
/** The lowest version of iOS apps that is supported. `null`: every version. */
ios: string | null;
/** The lowest version code of Android apps that is supported. `null`: every version. */
android: string | null;
/** The lowest version of macOS apps that is supported. `null`: every version. */
macos: string | null;
/** The lowest version of Windows apps that is supported. `null`: every version. */
windows: string | null;
/** The lowest version of Linux apps that is supported. `null`: every version. */
linux: string | null;
};

/** Changes of the lowest supported versions. Absent fields stay as they are. */
export type ChangeMinSupportedRequest = {
/** The lowest version of iOS apps that is supported. `null`: every version. */
ios?: string | null;
/** The lowest version code of Android apps that is supported. `null`: every version. */
android?: string | null;
/** The lowest version of macOS apps that is supported. `null`: every version. */
macos?: string | null;
/** The lowest version of Windows apps that is supported. `null`: every version. */
windows?: string | null;
/** The lowest version of Linux apps that is supported. `null`: every version. */
linux?: string | null;
};

/** The build that an update key opens. */
export type CurrentReleaseResponse = {
/** The number of the release in its channel. `null` for the key of a whole project. */
sequence: number | null;
/** The version that people see. */
version: string;
/** Distinguishes builds of one version. `null` when neither the upload nor the artifact contained it. */
build_number: string | null;
/** The notes of the promotion, else those of the build. `null` when there are none. */
notes: string | null;
/** The size of the file, in bytes. */
size_bytes: number;
/** The SHA-256 of the file, in hexadecimal. */
sha256: string;
/** The lowest version of the system that the build runs on. `null` when it is unknown. */
min_os_version: string | null;
/** The lowest API level of Android that the build runs on. `null` on other platforms, and when it is unknown. */
min_sdk: number | null;
/** When the build was promoted or, for the key of a whole project, uploaded. */
promoted_at: string;
};

/** Whether there is an update for an installed app. */
export type UpdateCheckResponse = {
/** Whether to offer the build: it is newer, devices can install it from its link, and the system of the device is new enough. */
update_available: boolean;
/** Whether the app must be updated: there is an update, and it was promoted as mandatory, or the project no longer supports the installed version. */
mandatory: boolean;
/** The relation of the build to the installed app; numbers are compared by value. `older` after a rollback: Android does not install it. `null` when the request has nothing to compare. */
relation: "newer" | "same" | "older" | null;
/** The current build. */
release: CurrentReleaseResponse;
/** The page of the current build, to open in a browser. It ends with the key. */
install_url: string;
/** The file. Each download of it is charged. */
package_url: string;
};

/** The key by which installed apps find updates. It gives access to the current build only. */
export type UpdateKeyResponse = {
/** Id of the update key. */
id: string;
/** Id of the organization. */
organization_id: string;
/** The project whose builds the key opens. */
project_id: string;
/** The channel whose current release the key opens. `null`: the newest build of the project. */
channel_id: string | null;
/** The platform of the apps that contain the key. */
platform: Platform;
/** The key. Put it into the app: it does not have to be kept secret. `null` for callers who may not download, and when the service cannot decrypt it: rotate it then. */
key: string | null;
/** The address that the app requests. The feeds of desktop frameworks are below it. `null` for callers who may not download. */
url: string | null;
/** When the key was created. */
created_at: string;
/** When the key got a new value. `null` when it never did. */
rotated_at: string | null;
/** When an app last used the key, exact to a day. `null` when none did. */
last_used_at: string | null;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type UpdateKeyPage = {
/** The items of the page, newest first. */
items: readonly (UpdateKeyResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** A new update key. */
export type CreateUpdateKeyRequest = {
/** The platform of the apps that will contain the key. */
platform: Platform;
};

/** The signature of a build for its updater. */
export type UpdateSignatureResponse = {
/** The signature of the file: of Sparkle the EdDSA signature, of Tauri the content of the `.sig` file. `null` when there is none. */
signature: string | null;
};

/** The signature of a build for its updater. */
export type UpdateSignatureRequest = {
/** The signature of the file: of Sparkle the EdDSA signature, of Tauri the content of the `.sig` file. `null` when there is none. */
signature: string | null;
};

/** The type of an audit event, as `noun.verb_past`.  - `developer.signed_up`: A developer signed up. - `developer.invited`: An operator created an account, whose owner chooses the password with a mailed link. - `developer.email_verified`: A developer verified their e-mail address. - `developer.updated`: A developer changed their profile. - `developer.password_reset`: A developer set a new password with a mailed link. All sessions ended. - `developer.password_changed`: A developer changed their password. All sessions ended. - `developer.email_changed`: The e-mail address of an account was changed. All sessions ended. - `developer.mfa_enrolled`: A developer requested the secret of a second factor. It has no effect until it is confirmed. - `developer.mfa_enabled`: A developer enabled the second factor. All sessions ended. - `developer.mfa_disabled`: A developer disabled the second factor. All sessions ended. - `developer.mfa_blocked`: Too many wrong second-factor codes: for a while, codes are accepted only from known devices. - `developer.recovery_code_used`: A developer logged in with a recovery code. - `developer.mfa_reset`: An operator removed the second factor of an account. All sessions ended. - `developer.signed_out`: An operator ended all sessions of an account. - `developer.suspended`: An operator suspended an account. All sessions ended, and no credential of the account is accepted. - `developer.unsuspended`: An operator ended the suspension of an account. - `developer.deleted`: An account was deleted. - `account.flagged`: A credential exceeded its rate limit and sent a hundred more requests within an hour. - `login.succeeded`: A developer logged in. - `login.failed`: A login was rejected. - `device_login.confirmed`: A developer let a program log in with a personal access token. - `device_login.denied`: A developer rejected the login of a program. - `session.refresh_reuse`: A refresh token was used twice. The session was revoked. - `session.ended`: A developer ended one of their sessions. - `session.others_ended`: A developer ended all their sessions but one. - `session.logged_out`: A developer logged out. All their sessions ended. - `organization.created`: An organization was created. - `organization.updated`: An organization was renamed. - `organization.branding_updated`: What testers see of an organization was changed. - `organization.deleted`: An organization was deleted. - `audit.pruned`: Events of this feed that are older than the retention of the plan were deleted. - `billing.plan_changed`: The plan of an organization was changed. - `billing.updated`: The spend cap or the budget alerts of an organization were changed. - `billing.top_up_requested`: A top-up was requested. - `billing.top_up_paid`: A requested top-up was paid. - `billing.credit_granted`: An operator granted or withdrew credit. - `billing.fee_waiver_changed`: An operator waived the plan's fee, or ended the waiver. - `billing.budget_reached`: Spending reached a budget alert percentage. - `billing.period_closed`: A month was closed and its statement created. - `member.invited`: A person was invited to an organization. - `invitation.withdrawn`: An invitation was withdrawn. - `invitation.declined`: The invited person declined an invitation. - `member.joined`: A developer joined an organization. - `member.roles_changed`: A member's organization roles were changed. - `member.removed`: A member left or was removed. - `project_member.changed`: A member's role in a project was set. - `project_member.removed`: A member's role in a project was removed. - `project.created`: A project was created. - `project.updated`: A project was changed. - `project.min_supported_changed`: The lowest supported versions of a project were changed. - `project.retention_changed`: The rules by which builds of a project are deleted were changed. - `project.deleted`: A project was deleted. - `project_access_token.created`: A project access token was created. - `project_access_token.rotated`: A project access token got a new value. - `project_access_token.revoked`: A project access token was revoked. - `personal_access_token.created`: A personal access token was created. - `personal_access_token.rotated`: A personal access token got a new value. - `personal_access_token.revoked`: A personal access token was revoked. - `build.upload_started`: A resumable upload was started. - `build.upload_dropped`: A resumable upload ended without a build: cancelled, rejected, expired, or lost by its store. - `build.uploaded`: A build was uploaded. - `build.updated`: A build's notes were changed, or it was pinned or unpinned. - `build.link_rotated`: The install link of a build was replaced. The previous link stopped working. - `build.deleted`: A build was deleted: moved to the trash, or permanently. - `build.restored`: A build was restored from the trash. - `build.purged`: A build in the trash was deleted permanently, with its file. - `build.deletion_scheduled`: A rule of the project deletes a build in seven days. - `build.signing_expires`: The provisioning profile or signing certificate of a build that testers can get expires in 60, 30, 15, 7 or 1 days. - `build.signing_expired`: The provisioning profile or signing certificate of a build that testers can get expired. - `build.download_url_created`: A download URL was created. - `attachment.created`: A file was added to a build. - `attachment.deleted`: A file that was added to a build was deleted. - `build.update_signature_set`: The signature of a build for its updater was stored or deleted. - `channel.created`: A channel was created. - `channel.updated`: A channel was renamed. - `channel.link_rotated`: The install link of a channel was replaced. The previous link stopped working. - `channel.deleted`: A channel was deleted. - `link.created`: A link of a build or channel was created. - `link.updated`: The name or the rules of a link were changed. A changed rule ended the visits of the link. - `link.rotated`: The address of a link was replaced. The previous address stopped working. - `link.deleted`: A link was deleted. Its address stopped working. - `link.password_failed`: A wrong password was sent to a link. - `update_key.created`: An update key was created. - `update_key.rotated`: An update key got a new value. The previous value stopped working. - `update_key.revoked`: An update key was revoked. - `release.promoted`: A build was promoted to a channel. - `release.undone`: A promotion was undone within a minute, before its mails went out. - `release.withdrawn`: A release was withdrawn from its channel: by a member, or because its build was restored. - `release.reminded`: Testers were reminded of a release. - `channel.subscribers_changed`: Testers were subscribed to a channel, or unsubscribed from it, in one step. - `tester.created`: A tester was added to a project. - `tester.updated`: A tester was renamed. - `tester.erased`: A tester was erased, with their e-mail address and all their links. - `tester.invited`: An install link was mailed to a tester. - `tester.bounced`: The mail server said that the address of a tester is invalid. - `tester.subscribed`: A tester was subscribed to a channel, by the tester or by a member. - `tester.unsubscribed`: A tester was unsubscribed from a channel, by the tester or by a member. - `tester.declined`: A tester unsubscribed from the whole project. - `tester.returned`: A tester who had unsubscribed from the project resubscribed. - `tester.platforms_chosen`: A tester chose the platforms of the mails about releases. - `testers.imported`: Testers were imported from a file. - `device.registered`: A device was registered: by its owner through an install link, or by an import. - `device.updated`: A device was renamed, assigned to a tester, or marked as registered with Apple. - `device.included`: A device was found in the provisioning profile of a build for the first time. - `device.removed`: A device was removed, by a member or by the tester who owns it. - `devices.imported`: Devices were imported from a file. - `devices.exported`: The ids (UDIDs) of devices were read. - `devices.marked_registered`: Devices were marked as registered with Apple. - `webhook.created`: A webhook was created. - `webhook.updated`: A webhook was changed or paused. - `webhook.secret_rotated`: The secret of a webhook was replaced. The previous one signs, too, for 24 hours. - `webhook.resumed`: A webhook was turned on, or continues after failures. `adopted`: the caller took it over. - `webhook.turned_off`: A webhook was turned off: its endpoint failed for five days or is gone, or its creator lost the access. - `webhook.deleted`: A webhook was deleted. - `byosa.configured`: An organization configured its own storage. - `byosa.changed`: The settings of an organization's own storage were changed, or its removal was requested. - `byosa.flipped`: New artifacts go to the organization's own storage, or to the hosted storage again. The meters were paused or resumed. - `byosa.removed`: An organization's own storage account was removed. - `keys.rotated`: An operator re-encrypted the sealed secrets with the current master key. - `clock.confirmed`: An operator confirmed the time after the clock had jumped ahead. - `jobs.retried`: An operator retried failed jobs. - `jobs.swept`: An operator ran all scheduled jobs. - `blobs.clean_started`: An operator started to delete artifacts without a database row. - `blobs.cleaned`: An operator deleted artifacts without a database row. - `backup.started`: An operator started a backup. - `backup.created`: An operator created a backup. - `backup.restored`: This database was restored from a backup. - `organization.export_requested`: An ADMIN requested an export of all data of the organization. - `organization.export_started`: An operator, or a job for an ADMIN, started to export all data of an organization. - `organization.exported`: All data of an organization was exported. - `organization.erasure_started`: An operator started to erase an organization. - `organization.erased`: An operator erased an organization and all its data. - `developer.export_requested`: A developer requested an export of their data. - `developer.export_started`: An operator, or a job for the developer, started to export all data of a developer. - `developer.exported`: All data of a developer was exported. - `developer.erased`: An operator erased an account. */
export type AuditEventType = "developer.signed_up" | "developer.invited" | "developer.email_verified" | "developer.updated" | "developer.password_reset" | "developer.password_changed" | "developer.email_changed" | "developer.mfa_enrolled" | "developer.mfa_enabled" | "developer.mfa_disabled" | "developer.mfa_blocked" | "developer.recovery_code_used" | "developer.mfa_reset" | "developer.signed_out" | "developer.suspended" | "developer.unsuspended" | "developer.deleted" | "account.flagged" | "login.succeeded" | "login.failed" | "device_login.confirmed" | "device_login.denied" | "session.refresh_reuse" | "session.ended" | "session.others_ended" | "session.logged_out" | "organization.created" | "organization.updated" | "organization.branding_updated" | "organization.deleted" | "audit.pruned" | "billing.plan_changed" | "billing.updated" | "billing.top_up_requested" | "billing.top_up_paid" | "billing.credit_granted" | "billing.fee_waiver_changed" | "billing.budget_reached" | "billing.period_closed" | "member.invited" | "invitation.withdrawn" | "invitation.declined" | "member.joined" | "member.roles_changed" | "member.removed" | "project_member.changed" | "project_member.removed" | "project.created" | "project.updated" | "project.min_supported_changed" | "project.retention_changed" | "project.deleted" | "project_access_token.created" | "project_access_token.rotated" | "project_access_token.revoked" | "personal_access_token.created" | "personal_access_token.rotated" | "personal_access_token.revoked" | "build.upload_started" | "build.upload_dropped" | "build.uploaded" | "build.updated" | "build.link_rotated" | "build.deleted" | "build.restored" | "build.purged" | "build.deletion_scheduled" | "build.signing_expires" | "build.signing_expired" | "build.download_url_created" | "attachment.created" | "attachment.deleted" | "build.update_signature_set" | "channel.created" | "channel.updated" | "channel.link_rotated" | "channel.deleted" | "link.created" | "link.updated" | "link.rotated" | "link.deleted" | "link.password_failed" | "update_key.created" | "update_key.rotated" | "update_key.revoked" | "release.promoted" | "release.undone" | "release.withdrawn" | "release.reminded" | "channel.subscribers_changed" | "tester.created" | "tester.updated" | "tester.erased" | "tester.invited" | "tester.bounced" | "tester.subscribed" | "tester.unsubscribed" | "tester.declined" | "tester.returned" | "tester.platforms_chosen" | "testers.imported" | "device.registered" | "device.updated" | "device.included" | "device.removed" | "devices.imported" | "devices.exported" | "devices.marked_registered" | "webhook.created" | "webhook.updated" | "webhook.secret_rotated" | "webhook.resumed" | "webhook.turned_off" | "webhook.deleted" | "byosa.configured" | "byosa.changed" | "byosa.flipped" | "byosa.removed" | "keys.rotated" | "clock.confirmed" | "jobs.retried" | "jobs.swept" | "blobs.clean_started" | "blobs.cleaned" | "backup.started" | "backup.created" | "backup.restored" | "organization.export_requested" | "organization.export_started" | "organization.exported" | "organization.erasure_started" | "organization.erased" | "developer.export_requested" | "developer.export_started" | "developer.exported" | "developer.erased";

/** The owner of the credential that made a change. */
export type AuditActorResponse = {
/** `invite`: a tester or another holder of an install link. `update_key`: an installed app. `anonymous`: a request without a credential. `system`: a job of the service. */
kind: "developer" | "project_access_token" | "invite" | "update_key" | "anonymous" | "system" | "operator";
/** The id of the developer, token or link. `null` for anonymous requests, operators and the service itself. */
id: string | null;
/** The current e-mail address of a developer, `erased` when the account was deleted, or the name of a token. */
label: string | null;
};

/** A change of state, recorded in the transaction that made it. */
export type AuditEventResponse = {
/** Id of the audit event. */
id: string;
/** What happened. */
type: AuditEventType;
/** Who made the change. */
actor: AuditActorResponse;
/** When the change was made. */
time: string;
/** The IP address of the client. `null` for operators and the service itself. */
source_ip: string | null;
/** The `X-Request-Id` of the response. The id that the client sent is `client_request_id` in the payload. */
request_id: string;
/** The project that was changed. `null` when the event does not belong to a project. */
project_id: string | null;
/** The present name, or else the e-mail address, of the tester, token, member or invited person that the payload names. `null` when it names none, when the object is gone, and when you may not know it: testers need VIEW_PROJECT, invitations and personal access tokens ADMIN. Always `null` for a personal access token. */
subject_label: string | null;
/** Facts about the change. Its fields depend on `type`. */
payload: {
[key: string]: unknown;
};
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type AuditDayResponse = {
/** The day, in UTC; the last day of a range. */
day: string;
/** All events of the day or range, newest first; with `limit` a page of them. */
events: readonly (AuditEventResponse)[];
/** The nearest earlier day with matching events; before the range, if one was requested. `null` when there is none. */
previous_day: string | null;
/** The nearest later day with matching events; after the range, if one was requested. `null` when there is none. */
next_day: string | null;
/** Send it as `cursor` to get the next page. `null` on the last page. Absent without `limit`. */
next_cursor?: string | null;
};

/** A type that events of the range have. */
export type AuditTypeCountResponse = {
/** The type. */
type: AuditEventType;
/** The number of events. */
count: number;
};

/** An actor of events of the range. */
export type AuditActorCountResponse = {
/** The actor. Its `id` or `label` can be used as a filter. */
actor: AuditActorResponse;
/** The number of events. */
count: number;
};

/** A day of the range that has events. */
export type AuditDayCountResponse = {
/** The day, in UTC. */
day: string;
/** The number of events. */
count: number;
};

/** The types, actors and days of the events in a range of the audit feed. */
export type AuditFacetsResponse = {
/** The start of the range. */
from: string;
/** The time before which the range ends. */
to: string;
/** Types, the most frequent first. */
types: readonly (AuditTypeCountResponse)[];
/** Up to 100 actors, the most frequent first, without testers and other holders of install links. */
actors: readonly (AuditActorCountResponse)[];
/** Days with events, newest first. */
days: readonly (AuditDayCountResponse)[];
};

/** The data of a server-sent event. Ids that do not belong to the change are absent. It contains no names and no addresses: read the changed resource through its own routes. */
export type EventResponse = {
/** A type of the audit feed; or `resync` (read everything again, because events were missed) or `closing` (the stream ends). Ignore values that you do not know. */
type: string;
/** Why the stream ends, with `closing`: the credential has expired or was revoked (`credential`), the caller may no longer read the organization (`access`), others need the place in a full process (`room`: reconnect later), or the process stops (`shutdown`: reconnect). */
reason?: "credential" | "access" | "room" | "shutdown";
/** The project of the change. */
project_id?: string;
/** The build that changed. */
build_id?: string;
/** The channel that changed. */
channel_id?: string;
/** The tester that changed. */
tester_id?: string;
/** The release that changed. */
release_id?: string;
/** The upload that changed. */
upload_id?: string;
/** The token that changed. */
token_id?: string;
/** The invitation that changed. */
invitation_id?: string;
/** The webhook that changed. */
webhook_id?: string;
/** The member that changed. */
developer_id?: string;
};

/** The form of the messages of a webhook.  - `standard`: the event as JSON. - `slack`: a message for Slack or Mattermost. - `teams`: an adaptive card for a workflow of Microsoft Teams. - `discord`: a message for Discord. - `google_chat`: a card for Google Chat. */
export type WebhookFormat = "standard" | "slack" | "teams" | "discord" | "google_chat";

/** The filter of a webhook. Empty lists restrict nothing. */
export type WebhookFilterResponse = {
/** The channels. */
channel_ids: readonly (string)[];
/** The platforms. */
platforms: readonly ("ios" | "android" | "macos" | "windows" | "linux")[];
/** The patterns of branches. */
branches: readonly (string)[];
};

/** Whether a webhook sends events.  - `on`: it sends them, or waits after a failure. - `off`: it sends none until a person resumes it. */
export type WebhookState = "on" | "off";

/** Why a webhook is off.  - `paused`: a person paused it. - `failing`: its endpoint accepted nothing for five days. - `gone`: its endpoint responded with 410. - `creator_lost_access`: its creator may no longer read what it sends. Who resumes it takes it over. */
export type WebhookOffReason = "paused" | "failing" | "gone" | "creator_lost_access";

/** Why a message was not delivered.  - `status`: the status of the response. - `timeout`: no whole response within 15 seconds. - `not_public`: the host does not exist, or has an address that is not allowed. - `tls`: the certificate is not valid, or TLS failed. - `connection`: the connection was refused or lost. - `internal`: a fault of this service. - `busy`: a test or redelivery did not begin within two minutes, because other webhooks used all slots. Send it again. */
export type WebhookError = "status" | "timeout" | "not_public" | "tls" | "connection" | "internal" | "busy";

/** An endpoint that is informed of events. Its URL and secret are not shown. */
export type WebhookResponse = {
/** Id of the webhook. */
id: string;
/** Id of the organization. */
organization_id: string;
/** The project whose events it sends. `null`: those of the whole organization. */
project_id: string | null;
/** The name of the webhook. */
name: string;
/** The host of its URL, with a port that is not usual. */
host: string;
/** The form of the messages. */
format: WebhookFormat;
/** The types of events that are sent. */
types: readonly (string)[];
/** Restricts the events further. */
filter: WebhookFilterResponse;
/** Whether messages contain install links. */
include_links: boolean;
/** Whether it sends events. */
state: WebhookState;
/** Why it is off: a person paused it (`paused`), the endpoint accepted nothing for five days (`failing`) or responded with 410 (`gone`), or its creator may no longer read what it sends (`creator_lost_access`). `null` when it is on. */
off_reason: WebhookOffReason | null;
/** The number of events of the organization that it has not looked at yet, unwanted ones included. */
behind: number;
/** When it failed first since the last success. `null`: it works. */
failing_since: string | null;
/** When it is tried again after a failure. `null`: it does not wait. */
next_attempt_at: string | null;
/** The status of the last response. `null` without one. */
last_status: number | null;
/** Why the last attempt failed. `null` when it succeeded, and before the first one. */
last_error: WebhookError | null;
/** When the last attempt ended. `null` before the first one. */
last_attempt_at: string | null;
/** Until when the previous secret signs, too. `null` when it does not. */
previous_secret_until: string | null;
/** The developer by whose roles it sends. `null` when their account was deleted. */
created_by: string | null;
/** The name of that developer, or the e-mail address of one without a name. `null` when their account was deleted. */
created_by_label: string | null;
/** When it was created. */
created_at: string;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type WebhookPage = {
/** The items of the page, newest first. */
items: readonly (WebhookResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** Restricts the events that have a channel, a platform or a branch. Events without such a property pass. Absent and empty lists restrict nothing. */
export type WebhookFilterRequest = {
/** Of the events that name a channel, only those of these channels. */
channel_ids?: readonly (string)[];
/** Only events of builds for these platforms. */
platforms?: readonly ("ios" | "android" | "macos" | "windows" | "linux")[];
/** Only events of builds from these branches. A build without a branch is from none of them. `*` stands for any characters but `/`, `**` for any characters, `?` for one. */
branches?: readonly (string)[];
};

/** A new webhook. */
export type CreateWebhookRequest = {
/** Your name for the webhook. */
name: string;
/** Where messages are sent: an https URL with a public address. It is stored encrypted, and only its host is shown again. Operators can allow private hosts. */
url: string;
/** The form of the messages: `standard` is the event as JSON, the others are messages for chats. `slack` is also for Mattermost. Default: `standard`. */
format?: WebhookFormat;
/** The types of events that are sent. Silent releases (`notify: false`) are sent, too. */
types: readonly ("organization.created" | "organization.updated" | "organization.branding_updated" | "organization.deleted" | "audit.pruned" | "billing.plan_changed" | "billing.updated" | "billing.top_up_requested" | "billing.top_up_paid" | "billing.credit_granted" | "billing.fee_waiver_changed" | "billing.budget_reached" | "billing.period_closed" | "member.invited" | "invitation.withdrawn" | "invitation.declined" | "member.joined" | "member.roles_changed" | "member.removed" | "project_member.changed" | "project_member.removed" | "project.created" | "project.updated" | "project.min_supported_changed" | "project.retention_changed" | "project.deleted" | "project_access_token.created" | "project_access_token.rotated" | "project_access_token.revoked" | "build.upload_started" | "build.upload_dropped" | "build.uploaded" | "build.updated" | "build.link_rotated" | "build.deleted" | "build.restored" | "build.purged" | "build.deletion_scheduled" | "build.signing_expires" | "build.signing_expired" | "build.download_url_created" | "attachment.created" | "attachment.deleted" | "build.update_signature_set" | "channel.created" | "channel.updated" | "channel.link_rotated" | "channel.deleted" | "link.created" | "link.updated" | "link.rotated" | "link.deleted" | "link.password_failed" | "update_key.created" | "update_key.rotated" | "update_key.revoked" | "release.promoted" | "release.undone" | "release.withdrawn" | "release.reminded" | "channel.subscribers_changed" | "tester.created" | "tester.updated" | "tester.erased" | "tester.invited" | "tester.bounced" | "tester.subscribed" | "tester.unsubscribed" | "tester.declined" | "tester.returned" | "tester.platforms_chosen" | "testers.imported" | "device.registered" | "device.updated" | "device.included" | "device.removed" | "devices.imported" | "devices.exported" | "devices.marked_registered" | "webhook.created" | "webhook.updated" | "webhook.secret_rotated" | "webhook.resumed" | "webhook.turned_off" | "webhook.deleted" | "byosa.configured" | "byosa.changed" | "byosa.flipped" | "byosa.removed" | "organization.export_requested" | "organization.export_started" | "organization.exported" | "organization.erasure_started" | "organization.erased" | "downloads.counted")[];
/** Restricts the events further. */
filter?: WebhookFilterRequest;
/** Whether messages contain install links. These are credentials: with one, everyone can install the build. Default: `false`. */
include_links?: boolean;
};

/** A webhook with its secret, which only this response contains. */
export type NewWebhookResponse = {
/** Id of the webhook. */
id: string;
/** Id of the organization. */
organization_id: string;
/** The project whose events it sends. `null`: those of the whole organization. */
project_id: string | null;
/** The name of the webhook. */
name: string;
/** The host of its URL, with a port that is not usual. */
host: string;
/** The form of the messages. */
format: WebhookFormat;
/** The types of events that are sent. */
types: readonly (string)[];
/** Restricts the events further. */
filter: WebhookFilterResponse;
/** Whether messages contain install links. */
include_links: boolean;
/** Whether it sends events. */
state: WebhookState;
/** Why it is off: a person paused it (`paused`), the endpoint accepted nothing for five days (`failing`) or responded with 410 (`gone`), or its creator may no longer read what it sends (`creator_lost_access`). `null` when it is on. */
off_reason: WebhookOffReason | null;
/** The number of events of the organization that it has not looked at yet, unwanted ones included. */
behind: number;
/** When it failed first since the last success. `null`: it works. */
failing_since: string | null;
/** When it is tried again after a failure. `null`: it does not wait. */
next_attempt_at: string | null;
/** The status of the last response. `null` without one. */
last_status: number | null;
/** Why the last attempt failed. `null` when it succeeded, and before the first one. */
last_error: WebhookError | null;
/** When the last attempt ended. `null` before the first one. */
last_attempt_at: string | null;
/** Until when the previous secret signs, too. `null` when it does not. */
previous_secret_until: string | null;
/** The developer by whose roles it sends. `null` when their account was deleted. */
created_by: string | null;
/** The name of that developer, or the e-mail address of one without a name. `null` when their account was deleted. */
created_by_label: string | null;
/** When it was created. */
created_at: string;
/** The secret with which messages are signed, in the form of the Standard Webhooks. */
secret: string;
};

/** Changes of a webhook. Absent fields stay as they are. */
export type UpdateWebhookRequest = {
/** Your name for the webhook. */
name?: string;
/** Where messages are sent: an https URL with a public address. It is stored encrypted, and only its host is shown again. Operators can allow private hosts. */
url?: string;
/** The form of the messages: `standard` is the event as JSON, the others are messages for chats. `slack` is also for Mattermost. Default: `standard`. */
format?: WebhookFormat;
/** The types of events that are sent. Silent releases (`notify: false`) are sent, too. */
types?: readonly ("organization.created" | "organization.updated" | "organization.branding_updated" | "organization.deleted" | "audit.pruned" | "billing.plan_changed" | "billing.updated" | "billing.top_up_requested" | "billing.top_up_paid" | "billing.credit_granted" | "billing.fee_waiver_changed" | "billing.budget_reached" | "billing.period_closed" | "member.invited" | "invitation.withdrawn" | "invitation.declined" | "member.joined" | "member.roles_changed" | "member.removed" | "project_member.changed" | "project_member.removed" | "project.created" | "project.updated" | "project.min_supported_changed" | "project.retention_changed" | "project.deleted" | "project_access_token.created" | "project_access_token.rotated" | "project_access_token.revoked" | "build.upload_started" | "build.upload_dropped" | "build.uploaded" | "build.updated" | "build.link_rotated" | "build.deleted" | "build.restored" | "build.purged" | "build.deletion_scheduled" | "build.signing_expires" | "build.signing_expired" | "build.download_url_created" | "attachment.created" | "attachment.deleted" | "build.update_signature_set" | "channel.created" | "channel.updated" | "channel.link_rotated" | "channel.deleted" | "link.created" | "link.updated" | "link.rotated" | "link.deleted" | "link.password_failed" | "update_key.created" | "update_key.rotated" | "update_key.revoked" | "release.promoted" | "release.undone" | "release.withdrawn" | "release.reminded" | "channel.subscribers_changed" | "tester.created" | "tester.updated" | "tester.erased" | "tester.invited" | "tester.bounced" | "tester.subscribed" | "tester.unsubscribed" | "tester.declined" | "tester.returned" | "tester.platforms_chosen" | "testers.imported" | "device.registered" | "device.updated" | "device.included" | "device.removed" | "devices.imported" | "devices.exported" | "devices.marked_registered" | "webhook.created" | "webhook.updated" | "webhook.secret_rotated" | "webhook.resumed" | "webhook.turned_off" | "webhook.deleted" | "byosa.configured" | "byosa.changed" | "byosa.flipped" | "byosa.removed" | "organization.export_requested" | "organization.export_started" | "organization.exported" | "organization.erasure_started" | "organization.erased" | "downloads.counted")[];
/** Restricts the events further. */
filter?: WebhookFilterRequest;
/** Whether messages contain install links. These are credentials: with one, everyone can install the build. Default: `false`. */
include_links?: boolean;
/** `off` pauses the webhook. Resume it with `POST /webhooks/{webhook_id}/resume`. */
state?: "off";
};

/** Where a webhook continues. */
export type ResumeWebhookRequest = {
/** `where_it_stopped` sends the events since then, in their order. `now` passes over them. */
from: "now" | "where_it_stopped";
};

/** What a test sends. */
export type TestWebhookRequest = {
/** Sends the newest event of this type. Absent: a greeting of the type `webhook.ping`. */
type?: "organization.created" | "organization.updated" | "organization.branding_updated" | "organization.deleted" | "audit.pruned" | "billing.plan_changed" | "billing.updated" | "billing.top_up_requested" | "billing.top_up_paid" | "billing.credit_granted" | "billing.fee_waiver_changed" | "billing.budget_reached" | "billing.period_closed" | "member.invited" | "invitation.withdrawn" | "invitation.declined" | "member.joined" | "member.roles_changed" | "member.removed" | "project_member.changed" | "project_member.removed" | "project.created" | "project.updated" | "project.min_supported_changed" | "project.retention_changed" | "project.deleted" | "project_access_token.created" | "project_access_token.rotated" | "project_access_token.revoked" | "build.upload_started" | "build.upload_dropped" | "build.uploaded" | "build.updated" | "build.link_rotated" | "build.deleted" | "build.restored" | "build.purged" | "build.deletion_scheduled" | "build.signing_expires" | "build.signing_expired" | "build.download_url_created" | "attachment.created" | "attachment.deleted" | "build.update_signature_set" | "channel.created" | "channel.updated" | "channel.link_rotated" | "channel.deleted" | "link.created" | "link.updated" | "link.rotated" | "link.deleted" | "link.password_failed" | "update_key.created" | "update_key.rotated" | "update_key.revoked" | "release.promoted" | "release.undone" | "release.withdrawn" | "release.reminded" | "channel.subscribers_changed" | "tester.created" | "tester.updated" | "tester.erased" | "tester.invited" | "tester.bounced" | "tester.subscribed" | "tester.unsubscribed" | "tester.declined" | "tester.returned" | "tester.platforms_chosen" | "testers.imported" | "device.registered" | "device.updated" | "device.included" | "device.removed" | "devices.imported" | "devices.exported" | "devices.marked_registered" | "webhook.created" | "webhook.updated" | "webhook.secret_rotated" | "webhook.resumed" | "webhook.turned_off" | "webhook.deleted" | "byosa.configured" | "byosa.changed" | "byosa.flipped" | "byosa.removed" | "organization.export_requested" | "organization.export_started" | "organization.exported" | "organization.erasure_started" | "organization.erased";
};

/** The state of a message of a webhook.  - `pending`: not accepted yet, and tried again. - `delivered`: accepted with a status from 200 to 299. - `failed`: not tried again, unless a person redelivers it. */
export type WebhookDeliveryState = "pending" | "delivered" | "failed";

/** A message of a webhook. It is kept for 30 days; of each webhook, the last 1,000. */
export type WebhookDeliveryResponse = {
/** Id of the webhook delivery. */
id: string;
/** Id of the webhook. */
webhook_id: string;
/** The event's place in the audit feed of the organization. `null` for a test and for `downloads.counted`. */
position: number | null;
/** The id of the message, the header `webhook-id`: the same in every attempt. */
event_id: string;
/** The type of the event. */
event_type: string;
/** Whether it is a test. */
test: boolean;
/** `pending`: not accepted yet, and tried again. `delivered`: accepted with a status from 200 to 299. `failed`: not tried again by itself. */
state: WebhookDeliveryState;
/** The number of attempts. */
attempts: number;
/** The status of the last response. `null` without one. */
last_status: number | null;
/** Why the last attempt failed: the status of the response (`status`), no response within 15 seconds (`timeout`), a host that does not exist or is not allowed (`not_public`), its certificate (`tls`), the connection (`connection`), a fault of this service (`internal`), or a test or redelivery that found no free slot within two minutes and was not attempted (`busy`): send it again. `null` when it succeeded. */
last_error: WebhookError | null;
/** The duration of the last attempt, in milliseconds. */
last_ms: number | null;
/** When the last attempt ended. `null` before the first one. */
last_attempt_at: string | null;
/** When the message was written. */
created_at: string;
};

/** A page of a list, newest first. Send `next_cursor` as `cursor` to get the next page. */
export type WebhookDeliveryPage = {
/** The items of the page, newest first. */
items: readonly (WebhookDeliveryResponse)[];
/** Send it as `cursor` to get the next page. `null` on the last page. */
next_cursor: string | null;
};

/** A message of a webhook, with what was sent and received. */
export type WebhookDeliveryDetailResponse = {
/** Id of the webhook delivery. */
id: string;
/** Id of the webhook. */
webhook_id: string;
/** The event's place in the audit feed of the organization. `null` for a test and for `downloads.counted`. */
position: number | null;
/** The id of the message, the header `webhook-id`: the same in every attempt. */
event_id: string;
/** The type of the event. */
event_type: string;
/** Whether it is a test. */
test: boolean;
/** `pending`: not accepted yet, and tried again. `delivered`: accepted with a status from 200 to 299. `failed`: not tried again by itself. */
state: WebhookDeliveryState;
/** The number of attempts. */
attempts: number;
/** The status of the last response. `null` without one. */
last_status: number | null;
/** Why the last attempt failed: the status of the response (`status`), no response within 15 seconds (`timeout`), a host that does not exist or is not allowed (`not_public`), its certificate (`tls`), the connection (`connection`), a fault of this service (`internal`), or a test or redelivery that found no free slot within two minutes and was not attempted (`busy`): send it again. `null` when it succeeded. */
last_error: WebhookError | null;
/** The duration of the last attempt, in milliseconds. */
last_ms: number | null;
/** When the last attempt ended. `null` before the first one. */
last_attempt_at: string | null;
/** When the message was written. */
created_at: string;
/** The body of the request. Tokens of install links are masked. */
body: string;
/** The first 1,024 bytes of the last response. `null` when it had no body. */
answer: string | null;
};

/** Confirms that the owner of the account requests the export. */
export type RequestExportRequest = {
/** Your present password. */
password: string;
};

/** An export that was requested. */
export type DataExportResponse = {
/** Id of the data export. */
id: string;
/** `requested`: it waits for its turn. `running`: the archive is being made. `ready`: it can be downloaded from `url`. `failed`: see `reason`. */
state: "requested" | "running" | "ready" | "failed";
/** `too_large`: the archive would exceed 1 GB; ask the operator. `failed`: request it again. `null` in other states. */
reason: "too_large" | "failed" | null;
/** The size of the archive. `null` until it is ready. */
size_bytes: number | null;
/** Downloads the archive by GET without another credential. `null` until it is ready. */
url: string | null;
/** When it was requested. */
created_at: string;
/** When the link expires and the archive is deleted. `null` until it is ready. */
expires_at: string | null;
};

/** The newest export that you requested. */
export type LatestExportResponse = {
/** `null` when you requested none, or when it has expired. */
export: DataExportResponse | null;
};

/** The channel of a release. */
export type AdoptionChannelResponse = {
/** Id of the channel. */
id: string;
/** The name of the channel. */
name: string;
};

/** How many testers of a channel have its current build of a platform. Each of them is counted in exactly one step. */
export type ReleaseAdoptionResponse = {
/** The testers of the audience: the sum of the seven numbers below. */
testers: number;
/** Testers whose newest download of the platform is the build. */
has_it: number;
/** Testers whose newest download of the platform is a newer build, compared by version and build number as in update checks. They do not lack the build. */
has_newer: number;
/** Testers who downloaded the build, and since another build of the platform that is not newer. */
downloaded: number;
/** Testers who opened one of their links since the promotion or the mail, and did not download. */
opened: number;
/** Testers to whom a mail about it, a reminder, an invitation to the build or, since the promotion, to its channel was queued. */
mailed: number;
/** Testers whose address is invalid, so that they get no mails. */
bounced: number;
/** The other testers of the audience. */
not_mailed: number;
/** The channel. */
channel: AdoptionChannelResponse;
/** The platform of the build. */
platform: Platform;
/** Id of the release. */
release_id: string;
/** Id of the build. */
build_id: string;
/** The version that people see. */
version: string;
/** Distinguishes builds of one version. `null` when neither the upload nor the artifact contained it. */
build_number: string | null;
/** When the build was promoted. */
released_at: string;
/** Whether devices can install the build from its link now. */
installable: boolean;
/** Subscribers of the channel who are not in the audience: they chose mails about other platforms only, or all of their downloads are of other platforms. */
other_platforms: number;
/** When testers were last reminded of the release. `null` before. */
reminded_at: string | null;
};

/** How many testers have a build, of those whom its current releases concern, who were invited to it or who downloaded it. */
export type BuildAdoptionResponse = {
/** The testers of the audience: the sum of the seven numbers below. */
testers: number;
/** Testers whose newest download of the platform is the build. */
has_it: number;
/** Testers whose newest download of the platform is a newer build, compared by version and build number as in update checks. They do not lack the build. */
has_newer: number;
/** Testers who downloaded the build, and since another build of the platform that is not newer. */
downloaded: number;
/** Testers who opened one of their links since the promotion or the mail, and did not download. */
opened: number;
/** Testers to whom a mail about it, a reminder, an invitation to the build or, since the promotion, to its channel was queued. */
mailed: number;
/** Testers whose address is invalid, so that they get no mails. */
bounced: number;
/** The other testers of the audience. */
not_mailed: number;
/** Id of the build. */
build_id: string;
/** The current releases of the build. */
releases: readonly (ReleaseAdoptionResponse)[];
};

/** The adoption of all current releases of a project. */
export type ProjectAdoptionResponse = {
/** One for each current release, by the name of its channel, then by platform. */
items: readonly (ReleaseAdoptionResponse)[];
};

/** A device that the project knows, and whether a build can be installed on it. */
export type KnownDeviceResponse = {
/** Id of the device. */
device_id: string;
/** The tester who uses it. `null` when unknown. */
tester_id: string | null;
/** Its name, else its model. `null` when neither is known. */
name: string | null;
/** Whether it is in the provisioning profile of the build. */
included: boolean;
};

/** The devices on which a build can be installed. */
export type BuildDevicesResponse = {
/** The number of devices in the provisioning profile. `null` when it is not restricted to devices: then the other numbers are 0. */
provisioned: number | null;
/** The devices that the project knows and the profile includes. */
included: number;
/** The devices that the project knows and the profile leaves out. */
missing: number;
/** The devices that the project knows, those that are left out first, at most 1,000. `null` for callers without `MANAGE_TESTERS`. */
known: readonly (KnownDeviceResponse)[] | null;
};

/** The number of testers at each step from the mail about a build to its download, and the number of apps that run it. */
export type BuildFunnelResponse = {
/** Testers who were mailed about a release of the build, or invited to it. */
mailed: number;
/** Testers in `mailed` who opened a link since, or downloaded the build. */
opened: number;
/** Testers in `mailed` who downloaded the build through a link of theirs. */
downloaded: number;
/** Installations of the app that reported to run the build when they checked for updates, each once. They are anonymous, and include people who were not mailed. */
running: number;
/** Downloads of the build through the link `link_id`, of any person. Absent without `link_id`. */
link_downloads?: number;
};

/** A limit that the operator has configured, and how much of it is used. */
export type QuotaUseResponse = {
/** The name of the quota, as in `details.quota` of an error. `tokens_per_project` counts valid project access tokens, `open_uploads` counts uploads in parts that are not complete. `open_upload_bytes` is the announced sizes of all uploads of an organization to the hosted store that are not complete, in bytes. It is absent when the organization has no such limit. */
quota: "projects_per_organization" | "members_per_organization" | "channels_per_project" | "testers_per_project" | "devices_per_project" | "tokens_per_project" | "open_uploads" | "open_upload_bytes";
/** The maximum. */
limit: number;
/** The number, or the bytes, in use now. More than `limit` when it was lowered later. */
used: number;
};

/** The quotas of an organization or a project. */
export type QuotasResponse = {
/** Each quota that applies once, always in the same order. */
quotas: readonly (QuotaUseResponse)[];
};

/** A project whose name has the words. */
export type FoundProjectResponse = {
/** Id of the project. */
id: string;
/** The name of the project. */
name: string;
};

/** A build whose version, build number, file name, branch or commit has the words. */
export type FoundBuildResponse = {
/** Id of the project. */
project_id: string;
/** The name of its project. */
project_name: string;
/** Id of the build. */
id: string;
/** The platform of the build. */
platform: Platform;
/** The version. */
version: string;
/** The build number. `null` when it has none. */
build_number: string | null;
/** The branch. `null` when none was given. */
branch: string | null;
/** When the upload was complete. */
uploaded_at: string;
};

/** A channel whose name has the words. */
export type FoundChannelResponse = {
/** Id of the project. */
project_id: string;
/** The name of its project. */
project_name: string;
/** Id of the channel. */
id: string;
/** The name of the channel. */
name: string;
};

/** A tester whose address or name has the words. */
export type FoundTesterResponse = {
/** Id of the project. */
project_id: string;
/** The name of its project. */
project_name: string;
/** Id of the tester. */
id: string;
/** The name. `null` when none was given. */
name: string | null;
/** The address. */
email: string;
};

/** Up to five results of each kind, the best match first. */
export type SearchResponse = {
/** Projects. */
projects: readonly (FoundProjectResponse)[];
/** Builds. */
builds: readonly (FoundBuildResponse)[];
/** Channels. */
channels: readonly (FoundChannelResponse)[];
/** Testers. */
testers: readonly (FoundTesterResponse)[];
};

/** Body of every 4xx and 5xx response. */
export type Error = {
/** Stable error code for programs. */
error: "not_found" | "already_exists" | "dependency_exists" | "invalid_input" | "validation_error" | "unauthorized" | "permission_denied" | "insufficient_role" | "email_not_verified" | "operation_not_allowed" | "quota_exceeded" | "rate_limit_exceeded" | "spend_cap_exceeded" | "prepaid_credit_exhausted" | "payload_too_large" | "storage_backend_unavailable" | "internal_error";
/** Explanation for people. It may change. */
message: string;
/** Facts about this error, for programs. Which fields it has besides `request_id` depends on the code. */
details: {
/** Same value as the X-Request-Id header. */
request_id?: string;
[key: string]: unknown;
};
};

/** The body of a webhook of the format `standard`, at most 20 kB of JSON. */
export type WebhookEvent = {
/** The same as the header `webhook-id`. */
id: string;
/** The type of the event: a type of the audit feed, or `downloads.counted`. */
type: string;
/** When it happened. */
timestamp: string;
/** The organization in which it happened. */
organization_id: string;
/** The project of the event. `null` for events of the organization. */
project_id: string | null;
/** The place in the organization's audit chain. A receiver that sees a smaller one than before has seen it already. */
position: number;
/** Who made the change. */
actor: {
/** The kind of credential, or `system`. */
kind: string;
/** Their name. `null` when it is unknown. */
name: string | null;
};
/** The objects of the event as the API returns them when the message is rendered. `cut` when texts were shortened to keep the size. */
data: {
/** Whether an object was deleted before. It is `null` then. */
gone?: boolean;
/** Whether texts and lists were cut. */
cut?: boolean;
[key: string]: unknown;
};
/** Whether the test button sent it. Absent otherwise. */
test?: boolean;
};

/** The greeting of the test button. */
export type WebhookPingEvent = WebhookEvent & {
type?: "webhook.ping";
data?: Record<string, unknown>;
};

/** An organization was created. */
export type OrganizationCreatedEvent = WebhookEvent & {
type?: "organization.created";
data?: Record<string, unknown>;
};

/** An organization was renamed. */
export type OrganizationUpdatedEvent = WebhookEvent & {
type?: "organization.updated";
data?: Record<string, unknown>;
};

/** What testers see of an organization was changed. */
export type OrganizationBrandingUpdatedEvent = WebhookEvent & {
type?: "organization.branding_updated";
data?: Record<string, unknown>;
};

/** An organization was deleted. */
export type OrganizationDeletedEvent = WebhookEvent & {
type?: "organization.deleted";
data?: Record<string, unknown>;
};

/** Events of this feed that are older than the retention of the plan were deleted. */
export type AuditPrunedEvent = WebhookEvent & {
type?: "audit.pruned";
data?: Record<string, unknown>;
};

/** The plan of an organization was changed. */
export type BillingPlanChangedEvent = WebhookEvent & {
type?: "billing.plan_changed";
data?: Record<string, unknown>;
};

/** The spend cap or the budget alerts of an organization were changed. */
export type BillingUpdatedEvent = WebhookEvent & {
type?: "billing.updated";
data?: Record<string, unknown>;
};

/** A top-up was requested. */
export type BillingTopUpRequestedEvent = WebhookEvent & {
type?: "billing.top_up_requested";
data?: Record<string, unknown>;
};

/** A requested top-up was paid. */
export type BillingTopUpPaidEvent = WebhookEvent & {
type?: "billing.top_up_paid";
data?: Record<string, unknown>;
};

/** An operator granted or withdrew credit. */
export type BillingCreditGrantedEvent = WebhookEvent & {
type?: "billing.credit_granted";
data?: Record<string, unknown>;
};

/** An operator waived the plan's fee, or ended the waiver. */
export type BillingFeeWaiverChangedEvent = WebhookEvent & {
type?: "billing.fee_waiver_changed";
data?: Record<string, unknown>;
};

/** Spending reached a budget alert percentage. */
export type BillingBudgetReachedEvent = WebhookEvent & {
type?: "billing.budget_reached";
data?: Record<string, unknown>;
};

/** A month was closed and its statement created. */
export type BillingPeriodClosedEvent = WebhookEvent & {
type?: "billing.period_closed";
data?: Record<string, unknown>;
};

/** A person was invited to an organization. */
export type MemberInvitedEvent = WebhookEvent & {
type?: "member.invited";
data?: Record<string, unknown>;
};

/** An invitation was withdrawn. */
export type InvitationWithdrawnEvent = WebhookEvent & {
type?: "invitation.withdrawn";
data?: Record<string, unknown>;
};

/** The invited person declined an invitation. */
export type InvitationDeclinedEvent = WebhookEvent & {
type?: "invitation.declined";
data?: Record<string, unknown>;
};

/** A developer joined an organization. */
export type MemberJoinedEvent = WebhookEvent & {
type?: "member.joined";
data?: Record<string, unknown>;
};

/** A member's organization roles were changed. */
export type MemberRolesChangedEvent = WebhookEvent & {
type?: "member.roles_changed";
data?: Record<string, unknown>;
};

/** A member left or was removed. */
export type MemberRemovedEvent = WebhookEvent & {
type?: "member.removed";
data?: Record<string, unknown>;
};

/** A member's role in a project was set. */
export type ProjectMemberChangedEvent = WebhookEvent & {
type?: "project_member.changed";
data?: Record<string, unknown>;
};

/** A member's role in a project was removed. */
export type ProjectMemberRemovedEvent = WebhookEvent & {
type?: "project_member.removed";
data?: Record<string, unknown>;
};

/** A project was created. */
export type ProjectCreatedEvent = WebhookEvent & {
type?: "project.created";
data?: Record<string, unknown>;
};

/** A project was changed. */
export type ProjectUpdatedEvent = WebhookEvent & {
type?: "project.updated";
data?: Record<string, unknown>;
};

/** The lowest supported versions of a project were changed. */
export type ProjectMinSupportedChangedEvent = WebhookEvent & {
type?: "project.min_supported_changed";
data?: Record<string, unknown>;
};

/** The rules by which builds of a project are deleted were changed. */
export type ProjectRetentionChangedEvent = WebhookEvent & {
type?: "project.retention_changed";
data?: Record<string, unknown>;
};

/** A project was deleted. */
export type ProjectDeletedEvent = WebhookEvent & {
type?: "project.deleted";
data?: Record<string, unknown>;
};

/** A project access token was created. */
export type ProjectAccessTokenCreatedEvent = WebhookEvent & {
type?: "project_access_token.created";
data?: Record<string, unknown>;
};

/** A project access token got a new value. */
export type ProjectAccessTokenRotatedEvent = WebhookEvent & {
type?: "project_access_token.rotated";
data?: Record<string, unknown>;
};

/** A project access token was revoked. */
export type ProjectAccessTokenRevokedEvent = WebhookEvent & {
type?: "project_access_token.revoked";
data?: Record<string, unknown>;
};

/** A resumable upload was started. */
export type BuildUploadStartedEvent = WebhookEvent & {
type?: "build.upload_started";
data?: {
build?: BuildResponse | null;
};
};

/** A resumable upload ended without a build: cancelled, rejected, expired, or lost by its store. */
export type BuildUploadDroppedEvent = WebhookEvent & {
type?: "build.upload_dropped";
data?: {
build?: BuildResponse | null;
};
};

/** A build was uploaded. */
export type BuildUploadedEvent = WebhookEvent & {
type?: "build.uploaded";
data?: {
build?: BuildResponse | null;
};
};

/** A build's notes were changed, or it was pinned or unpinned. */
export type BuildUpdatedEvent = WebhookEvent & {
type?: "build.updated";
data?: {
build?: BuildResponse | null;
};
};

/** The install link of a build was replaced. The previous link stopped working. */
export type BuildLinkRotatedEvent = WebhookEvent & {
type?: "build.link_rotated";
data?: {
build?: BuildResponse | null;
};
};

/** A build was deleted: moved to the trash, or permanently. */
export type BuildDeletedEvent = WebhookEvent & {
type?: "build.deleted";
data?: {
build?: BuildResponse | null;
};
};

/** A build was restored from the trash. */
export type BuildRestoredEvent = WebhookEvent & {
type?: "build.restored";
data?: {
build?: BuildResponse | null;
};
};

/** A build in the trash was deleted permanently, with its file. */
export type BuildPurgedEvent = WebhookEvent & {
type?: "build.purged";
data?: {
build?: BuildResponse | null;
};
};

/** A rule of the project deletes a build in seven days. */
export type BuildDeletionScheduledEvent = WebhookEvent & {
type?: "build.deletion_scheduled";
data?: {
build?: BuildResponse | null;
};
};

/** The provisioning profile or signing certificate of a build that testers can get expires in 60, 30, 15, 7 or 1 days. */
export type BuildSigningExpiresEvent = WebhookEvent & {
type?: "build.signing_expires";
data?: {
build?: BuildResponse | null;
};
};

/** The provisioning profile or signing certificate of a build that testers can get expired. */
export type BuildSigningExpiredEvent = WebhookEvent & {
type?: "build.signing_expired";
data?: {
build?: BuildResponse | null;
};
};

/** A download URL was created. */
export type BuildDownloadUrlCreatedEvent = WebhookEvent & {
type?: "build.download_url_created";
data?: {
build?: BuildResponse | null;
};
};

/** A file was added to a build. */
export type AttachmentCreatedEvent = WebhookEvent & {
type?: "attachment.created";
data?: {
build?: BuildResponse | null;
};
};

/** A file that was added to a build was deleted. */
export type AttachmentDeletedEvent = WebhookEvent & {
type?: "attachment.deleted";
data?: {
build?: BuildResponse | null;
};
};

/** The signature of a build for its updater was stored or deleted. */
export type BuildUpdateSignatureSetEvent = WebhookEvent & {
type?: "build.update_signature_set";
data?: {
build?: BuildResponse | null;
};
};

/** A channel was created. */
export type ChannelCreatedEvent = WebhookEvent & {
type?: "channel.created";
data?: {
channel?: ChannelResponse | null;
};
};

/** A channel was renamed. */
export type ChannelUpdatedEvent = WebhookEvent & {
type?: "channel.updated";
data?: {
channel?: ChannelResponse | null;
};
};

/** The install link of a channel was replaced. The previous link stopped working. */
export type ChannelLinkRotatedEvent = WebhookEvent & {
type?: "channel.link_rotated";
data?: {
channel?: ChannelResponse | null;
};
};

/** A channel was deleted. */
export type ChannelDeletedEvent = WebhookEvent & {
type?: "channel.deleted";
data?: {
channel?: ChannelResponse | null;
};
};

/** A link of a build or channel was created. */
export type LinkCreatedEvent = WebhookEvent & {
type?: "link.created";
data?: Record<string, unknown>;
};

/** The name or the rules of a link were changed. A changed rule ended the visits of the link. */
export type LinkUpdatedEvent = WebhookEvent & {
type?: "link.updated";
data?: Record<string, unknown>;
};

/** The address of a link was replaced. The previous address stopped working. */
export type LinkRotatedEvent = WebhookEvent & {
type?: "link.rotated";
data?: Record<string, unknown>;
};

/** A link was deleted. Its address stopped working. */
export type LinkDeletedEvent = WebhookEvent & {
type?: "link.deleted";
data?: Record<string, unknown>;
};

/** A wrong password was sent to a link. */
export type LinkPasswordFailedEvent = WebhookEvent & {
type?: "link.password_failed";
data?: Record<string, unknown>;
};

/** An update key was created. */
export type UpdateKeyCreatedEvent = WebhookEvent & {
type?: "update_key.created";
data?: Record<string, unknown>;
};

/** An update key got a new value. The previous value stopped working. */
export type UpdateKeyRotatedEvent = WebhookEvent & {
type?: "update_key.rotated";
data?: Record<string, unknown>;
};

/** An update key was revoked. */
export type UpdateKeyRevokedEvent = WebhookEvent & {
type?: "update_key.revoked";
data?: Record<string, unknown>;
};

/** A build was promoted to a channel. */
export type ReleasePromotedEvent = WebhookEvent & {
type?: "release.promoted";
data?: {
release?: ReleaseResponse | null;
build?: BuildResponse | null;
channel?: ChannelResponse | null;
};
};

/** A promotion was undone within a minute, before its mails went out. */
export type ReleaseUndoneEvent = WebhookEvent & {
type?: "release.undone";
data?: {
release?: ReleaseResponse | null;
build?: BuildResponse | null;
channel?: ChannelResponse | null;
};
};

/** A release was withdrawn from its channel: by a member, or because its build was restored. */
export type ReleaseWithdrawnEvent = WebhookEvent & {
type?: "release.withdrawn";
data?: {
release?: ReleaseResponse | null;
build?: BuildResponse | null;
channel?: ChannelResponse | null;
};
};

/** Testers were reminded of a release. */
export type ReleaseRemindedEvent = WebhookEvent & {
type?: "release.reminded";
data?: {
release?: ReleaseResponse | null;
build?: BuildResponse | null;
channel?: ChannelResponse | null;
};
};

/** Testers were subscribed to a channel, or unsubscribed from it, in one step. */
export type ChannelSubscribersChangedEvent = WebhookEvent & {
type?: "channel.subscribers_changed";
data?: {
channel?: ChannelResponse | null;
};
};

/** A tester was added to a project. */
export type TesterCreatedEvent = WebhookEvent & {
type?: "tester.created";
data?: {
tester?: TesterResponse | null;
channel?: ChannelResponse | null;
};
};

/** A tester was renamed. */
export type TesterUpdatedEvent = WebhookEvent & {
type?: "tester.updated";
data?: {
tester?: TesterResponse | null;
channel?: ChannelResponse | null;
};
};

/** A tester was erased, with their e-mail address and all their links. */
export type TesterErasedEvent = WebhookEvent & {
type?: "tester.erased";
data?: {
tester?: TesterResponse | null;
channel?: ChannelResponse | null;
};
};

/** An install link was mailed to a tester. */
export type TesterInvitedEvent = WebhookEvent & {
type?: "tester.invited";
data?: {
tester?: TesterResponse | null;
channel?: ChannelResponse | null;
};
};

/** The mail server said that the address of a tester is invalid. */
export type TesterBouncedEvent = WebhookEvent & {
type?: "tester.bounced";
data?: {
tester?: TesterResponse | null;
channel?: ChannelResponse | null;
};
};

/** A tester was subscribed to a channel, by the tester or by a member. */
export type TesterSubscribedEvent = WebhookEvent & {
type?: "tester.subscribed";
data?: {
tester?: TesterResponse | null;
channel?: ChannelResponse | null;
};
};

/** A tester was unsubscribed from a channel, by the tester or by a member. */
export type TesterUnsubscribedEvent = WebhookEvent & {
type?: "tester.unsubscribed";
data?: {
tester?: TesterResponse | null;
channel?: ChannelResponse | null;
};
};

/** A tester unsubscribed from the whole project. */
export type TesterDeclinedEvent = WebhookEvent & {
type?: "tester.declined";
data?: {
tester?: TesterResponse | null;
channel?: ChannelResponse | null;
};
};

/** A tester who had unsubscribed from the project resubscribed. */
export type TesterReturnedEvent = WebhookEvent & {
type?: "tester.returned";
data?: {
tester?: TesterResponse | null;
channel?: ChannelResponse | null;
};
};

/** A tester chose the platforms of the mails about releases. */
export type TesterPlatformsChosenEvent = WebhookEvent & {
type?: "tester.platforms_chosen";
data?: {
tester?: TesterResponse | null;
channel?: ChannelResponse | null;
};
};

/** Testers were imported from a file. */
export type TestersImportedEvent = WebhookEvent & {
type?: "testers.imported";
data?: Record<string, unknown>;
};

/** A device was registered: by its owner through an install link, or by an import. */
export type DeviceRegisteredEvent = WebhookEvent & {
type?: "device.registered";
data?: Record<string, unknown>;
};

/** A device was renamed, assigned to a tester, or marked as registered with Apple. */
export type DeviceUpdatedEvent = WebhookEvent & {
type?: "device.updated";
data?: Record<string, unknown>;
};

/** A device was found in the provisioning profile of a build for the first time. */
export type DeviceIncludedEvent = WebhookEvent & {
type?: "device.included";
data?: Record<string, unknown>;
};

/** A device was removed, by a member or by the tester who owns it. */
export type DeviceRemovedEvent = WebhookEvent & {
type?: "device.removed";
data?: Record<string, unknown>;
};

/** Devices were imported from a file. */
export type DevicesImportedEvent = WebhookEvent & {
type?: "devices.imported";
data?: Record<string, unknown>;
};

/** The ids (UDIDs) of devices were read. */
export type DevicesExportedEvent = WebhookEvent & {
type?: "devices.exported";
data?: Record<string, unknown>;
};

/** Devices were marked as registered with Apple. */
export type DevicesMarkedRegisteredEvent = WebhookEvent & {
type?: "devices.marked_registered";
data?: Record<string, unknown>;
};

/** A webhook was created. */
export type WebhookCreatedEvent = WebhookEvent & {
type?: "webhook.created";
data?: Record<string, unknown>;
};

/** A webhook was changed or paused. */
export type WebhookUpdatedEvent = WebhookEvent & {
type?: "webhook.updated";
data?: Record<string, unknown>;
};

/** The secret of a webhook was replaced. The previous one signs, too, for 24 hours. */
export type WebhookSecretRotatedEvent = WebhookEvent & {
type?: "webhook.secret_rotated";
data?: Record<string, unknown>;
};

/** A webhook was turned on, or continues after failures. `adopted`: the caller took it over. */
export type WebhookResumedEvent = WebhookEvent & {
type?: "webhook.resumed";
data?: Record<string, unknown>;
};

/** A webhook was turned off: its endpoint failed for five days or is gone, or its creator lost the access. */
export type WebhookTurnedOffEvent = WebhookEvent & {
type?: "webhook.turned_off";
data?: Record<string, unknown>;
};

/** A webhook was deleted. */
export type WebhookDeletedEvent = WebhookEvent & {
type?: "webhook.deleted";
data?: Record<string, unknown>;
};

/** An organization configured its own storage. */
export type ByosaConfiguredEvent = WebhookEvent & {
type?: "byosa.configured";
data?: Record<string, unknown>;
};

/** The settings of an organization's own storage were changed, or its removal was requested. */
export type ByosaChangedEvent = WebhookEvent & {
type?: "byosa.changed";
data?: Record<string, unknown>;
};

/** New artifacts go to the organization's own storage, or to the hosted storage again. The meters were paused or resumed. */
export type ByosaFlippedEvent = WebhookEvent & {
type?: "byosa.flipped";
data?: Record<string, unknown>;
};

/** An organization's own storage account was removed. */
export type ByosaRemovedEvent = WebhookEvent & {
type?: "byosa.removed";
data?: Record<string, unknown>;
};

/** An ADMIN requested an export of all data of the organization. */
export type OrganizationExportRequestedEvent = WebhookEvent & {
type?: "organization.export_requested";
data?: Record<string, unknown>;
};

/** An operator, or a job for an ADMIN, started to export all data of an organization. */
export type OrganizationExportStartedEvent = WebhookEvent & {
type?: "organization.export_started";
data?: Record<string, unknown>;
};

/** All data of an organization was exported. */
export type OrganizationExportedEvent = WebhookEvent & {
type?: "organization.exported";
data?: Record<string, unknown>;
};

/** An operator started to erase an organization. */
export type OrganizationErasureStartedEvent = WebhookEvent & {
type?: "organization.erasure_started";
data?: Record<string, unknown>;
};

/** An operator erased an organization and all its data. */
export type OrganizationErasedEvent = WebhookEvent & {
type?: "organization.erased";
data?: Record<string, unknown>;
};

/** A build was downloaded. Sent at most once a minute to each webhook; a message is about one build. `position` is that of the event that was sent before. */
export type DownloadsCountedEvent = WebhookEvent & {
type?: "downloads.counted";
data?: {
/** The build. */
build_id?: string;
/** The number of downloads that began in that time. */
count?: number;
/** Downloads after this time are counted. */
since?: string;
/** Downloads up to this time are counted. Those after it are in a later message. */
until?: string;
build?: BuildResponse | null;
};
};

/** Every route of the API with its path parameters, query, body and response. */
export interface Routes {
  'DELETE /builds/uploads/{upload_id}': { path: { upload_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: undefined };
  'DELETE /builds/{build_id}': { path: { build_id: string }; query: { organization_id?: string; project_id?: string; permanently?: boolean }; body: undefined; response: undefined };
  'DELETE /builds/{build_id}/attachments/{attachment_id}': { path: { build_id: string; attachment_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: undefined };
  'DELETE /channels/{channel_id}': { path: { channel_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: undefined };
  'DELETE /developers/me': { path: undefined; query: undefined; body: PasswordRequest; response: undefined };
  'DELETE /developers/me/mfa': { path: undefined; query: undefined; body: DisableMfaRequest; response: undefined };
  'DELETE /developers/me/sessions': { path: undefined; query: undefined; body: undefined; response: undefined };
  'DELETE /developers/me/sessions/{session_id}': { path: { session_id: string }; query: undefined; body: undefined; response: undefined };
  'DELETE /devices/{device_id}': { path: { device_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: undefined };
  'DELETE /links/{link_id}': { path: { link_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: undefined };
  'DELETE /organizations/{organization_id}': { path: { organization_id: string }; query: undefined; body: undefined; response: undefined };
  'DELETE /organizations/{organization_id}/byosa': { path: { organization_id: string }; query: undefined; body: undefined; response: undefined };
  'DELETE /organizations/{organization_id}/invitations/{invitation_id}': { path: { organization_id: string; invitation_id: string }; query: undefined; body: undefined; response: undefined };
  'DELETE /organizations/{organization_id}/members/{developer_id}': { path: { organization_id: string; developer_id: string }; query: { revoke_tokens?: boolean }; body: undefined; response: MemberRemovalResponse };
  'DELETE /pats/{token_id}': { path: { token_id: string }; query: { organization_id: string }; body: undefined; response: undefined };
  'DELETE /project-access-tokens/{token_id}': { path: { token_id: string }; query: { organization_id: string; project_id: string }; body: undefined; response: undefined };
  'DELETE /projects/{project_id}': { path: { project_id: string }; query: { organization_id: string }; body: undefined; response: undefined };
  'DELETE /projects/{project_id}/members/{developer_id}': { path: { project_id: string; developer_id: string }; query: { organization_id: string }; body: undefined; response: undefined };
  'DELETE /releases/{release_id}': { path: { release_id: string }; query: { organization_id?: string; project_id?: string; channel_id: string }; body: undefined; response: undefined };
  'DELETE /testers/{tester_id}': { path: { tester_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: undefined };
  'DELETE /testers/{tester_id}/subscriptions/{channel_id}': { path: { tester_id: string; channel_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: undefined };
  'DELETE /update-keys/{update_key_id}': { path: { update_key_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: undefined };
  'DELETE /webhooks/{webhook_id}': { path: { webhook_id: string }; query: { organization_id: string }; body: undefined; response: undefined };
  'GET /.well-known/jwks.json': { path: undefined; query: undefined; body: undefined; response: JwksResponse };
  'GET /audit/organization/{organization_id}': { path: { organization_id: string }; query: { day?: string; from?: string; to?: string; type?: AuditEventType; actor?: string; ip?: string; project_id?: string; limit?: number; cursor?: string }; body: undefined; response: AuditDayResponse };
  'GET /audit/organization/{organization_id}/export.csv': { path: { organization_id: string }; query: { day?: string; from?: string; to?: string; type?: AuditEventType; actor?: string; ip?: string; project_id?: string }; body: undefined; response: string };
  'GET /audit/organization/{organization_id}/facets': { path: { organization_id: string }; query: { from?: string; to?: string; project_id?: string }; body: undefined; response: AuditFacetsResponse };
  'GET /builds': { path: undefined; query: { limit?: number; cursor?: string; organization_id?: string; project_id?: string; platform?: Platform; version?: string; q?: string; branch?: string; commit?: string; sha256?: string; uploaded_by?: string; from?: string; to?: string; channel_id?: string; warning?: string; installable?: boolean; has_warnings?: boolean; deleted?: boolean }; body: undefined; response: BuildPage };
  'GET /builds/facets': { path: undefined; query: { organization_id?: string; project_id?: string }; body: undefined; response: BuildFacetsResponse };
  'GET /builds/latest': { path: undefined; query: { organization_id?: string; project_id?: string; platform?: Platform; version?: string; branch?: string; commit?: string; channel_id?: string }; body: undefined; response: BuildResponse };
  'GET /builds/uploads': { path: undefined; query: { limit?: number; cursor?: string; organization_id?: string; project_id?: string }; body: undefined; response: OpenUploadPage };
  'GET /builds/uploads/{upload_id}': { path: { upload_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: ResumableUploadResponse };
  'GET /builds/{build_id}': { path: { build_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: BuildResponse };
  'GET /builds/{build_id}/adoption': { path: { build_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: BuildAdoptionResponse };
  'GET /builds/{build_id}/attachments': { path: { build_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: AttachmentsResponse };
  'GET /builds/{build_id}/attachments/{attachment_id}/download': { path: { build_id: string; attachment_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: undefined };
  'GET /builds/{build_id}/compare': { path: { build_id: string }; query: { organization_id?: string; project_id?: string; with: string }; body: undefined; response: BuildDiffResponse };
  'GET /builds/{build_id}/devices': { path: { build_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: BuildDevicesResponse };
  'GET /builds/{build_id}/diff': { path: { build_id: string }; query: { organization_id?: string; project_id?: string; against: string }; body: undefined; response: BuildDiffResponse };
  'GET /builds/{build_id}/downloads': { path: { build_id: string }; query: { limit?: number; cursor?: string; organization_id?: string; project_id?: string }; body: undefined; response: BuildDownloadPage };
  'GET /builds/{build_id}/downloads.csv': { path: { build_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: string };
  'GET /builds/{build_id}/funnel': { path: { build_id: string }; query: { organization_id?: string; project_id?: string; link_id?: string }; body: undefined; response: BuildFunnelResponse };
  'GET /builds/{build_id}/update-signature': { path: { build_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: UpdateSignatureResponse };
  'GET /captcha': { path: undefined; query: { for?: "sign_up" | "login"; lang?: "en" | "de" }; body: undefined; response: ChallengeResponse };
  'GET /channels': { path: undefined; query: { limit?: number; cursor?: string; organization_id?: string; project_id?: string; name?: string }; body: undefined; response: ChannelPage };
  'GET /channels/{channel_id}': { path: { channel_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: ChannelResponse };
  'GET /credential': { path: undefined; query: undefined; body: undefined; response: CredentialResponse };
  'GET /developers/me': { path: undefined; query: undefined; body: undefined; response: DeveloperResponse };
  'GET /developers/me/export': { path: undefined; query: undefined; body: undefined; response: LatestExportResponse };
  'GET /developers/me/invitations': { path: undefined; query: { limit?: number; cursor?: string }; body: undefined; response: OwnInvitationPage };
  'GET /developers/me/sessions': { path: undefined; query: { limit?: number; cursor?: string }; body: undefined; response: SessionPage };
  'GET /developers/reset_password': { path: undefined; query: { token?: string; lang?: "en" | "de" }; body: undefined; response: string };
  'GET /developers/{developer_id}/change_email': { path: { developer_id: string }; query: { token?: string; lang?: "en" | "de" }; body: undefined; response: string };
  'GET /developers/{developer_id}/verify_email': { path: { developer_id: string }; query: { token?: string; lang?: "en" | "de" }; body: undefined; response: string };
  'GET /devices': { path: undefined; query: { limit?: number; cursor?: string; organization_id?: string; project_id?: string; tester_id?: string; build_id?: string; provisioned?: boolean; registered?: boolean; include?: "udid" }; body: undefined; response: DevicePage };
  'GET /devices/export': { path: undefined; query: { organization_id?: string; project_id?: string; format?: DeviceFileFormat; ids?: readonly (string)[]; build_id?: string; provisioned?: boolean; registered?: boolean }; body: undefined; response: string };
  'GET /events': { path: undefined; query: { organization_id: string; recent_seconds?: number }; body: undefined; response: string };
  'GET /exports/{ticket}': { path: { ticket: string }; query: undefined; body: undefined; response: string };
  'GET /links': { path: undefined; query: { limit?: number; cursor?: string; organization_id?: string; project_id?: string; build_id?: string; channel_id?: string }; body: undefined; response: LinkPage };
  'GET /links/{link_id}': { path: { link_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: LinkResponse };
  'GET /live': { path: undefined; query: undefined; body: undefined; response: HealthResponse };
  'GET /login/device': { path: undefined; query: { user_code: string }; body: undefined; response: DeviceLoginResponse };
  'GET /login/session': { path: undefined; query: undefined; body: undefined; response: SessionStateResponse };
  'GET /organizations': { path: undefined; query: undefined; body: undefined; response: readonly (OrganizationResponse)[] };
  'GET /organizations/invitations/accept': { path: undefined; query: { token?: string; lang?: "en" | "de" }; body: undefined; response: string };
  'GET /organizations/{organization_id}': { path: { organization_id: string }; query: undefined; body: undefined; response: OrganizationResponse };
  'GET /organizations/{organization_id}/billing': { path: { organization_id: string }; query: { include?: "lists" }; body: undefined; response: BillingAccountResponse };
  'GET /organizations/{organization_id}/billing/ledger': { path: { organization_id: string }; query: { limit?: number; cursor?: string }; body: undefined; response: LedgerPage };
  'GET /organizations/{organization_id}/billing/statements': { path: { organization_id: string }; query: { limit?: number; cursor?: string }; body: undefined; response: StatementPage };
  'GET /organizations/{organization_id}/billing/top-ups': { path: { organization_id: string }; query: { limit?: number; cursor?: string }; body: undefined; response: TopUpPage };
  'GET /organizations/{organization_id}/branding': { path: { organization_id: string }; query: undefined; body: undefined; response: BrandingResponse };
  'GET /organizations/{organization_id}/byosa': { path: { organization_id: string }; query: undefined; body: undefined; response: ByosaResponse };
  'GET /organizations/{organization_id}/export': { path: { organization_id: string }; query: undefined; body: undefined; response: LatestExportResponse };
  'GET /organizations/{organization_id}/invitations': { path: { organization_id: string }; query: { limit?: number; cursor?: string }; body: undefined; response: InvitationPage };
  'GET /organizations/{organization_id}/members': { path: { organization_id: string }; query: { limit?: number; cursor?: string }; body: undefined; response: MemberPage };
  'GET /organizations/{organization_id}/project-access-tokens': { path: { organization_id: string }; query: { limit?: number; cursor?: string; unused_days?: number; last4?: string }; body: undefined; response: OrganizationTokenPage };
  'GET /organizations/{organization_id}/quotas': { path: { organization_id: string }; query: undefined; body: undefined; response: QuotasResponse };
  'GET /organizations/{organization_id}/usage': { path: { organization_id: string }; query: { period?: string }; body: undefined; response: UsageResponse };
  'GET /pats': { path: undefined; query: { limit?: number; cursor?: string; organization_id: string }; body: undefined; response: PatPage };
  'GET /project-access-tokens': { path: undefined; query: { limit?: number; cursor?: string; organization_id: string; project_id: string }; body: undefined; response: ProjectAccessTokenPage };
  'GET /projects': { path: undefined; query: { limit?: number; cursor?: string; organization_id: string; q?: string; bundle_id?: string; include?: "summary" }; body: undefined; response: ProjectPage };
  'GET /projects/{project_id}': { path: { project_id: string }; query: { organization_id?: string }; body: undefined; response: ProjectResponse };
  'GET /projects/{project_id}/adoption': { path: { project_id: string }; query: { organization_id?: string }; body: undefined; response: ProjectAdoptionResponse };
  'GET /projects/{project_id}/downloads/daily': { path: { project_id: string }; query: { organization_id?: string; from?: string; to?: string; build_id?: string; channel_id?: string }; body: undefined; response: DailyDownloadsResponse };
  'GET /projects/{project_id}/members': { path: { project_id: string }; query: { limit?: number; cursor?: string; organization_id: string }; body: undefined; response: ProjectMemberPage };
  'GET /projects/{project_id}/members/{developer_id}': { path: { project_id: string; developer_id: string }; query: { organization_id: string }; body: undefined; response: ProjectMemberResponse };
  'GET /projects/{project_id}/min-supported-versions': { path: { project_id: string }; query: { organization_id?: string }; body: undefined; response: MinSupportedResponse };
  'GET /projects/{project_id}/quotas': { path: { project_id: string }; query: { organization_id?: string }; body: undefined; response: QuotasResponse };
  'GET /projects/{project_id}/releases': { path: { project_id: string }; query: { limit?: number; cursor?: string; organization_id?: string; platform?: Platform }; body: undefined; response: ReleasePage };
  'GET /projects/{project_id}/retention': { path: { project_id: string }; query: { organization_id?: string }; body: undefined; response: RetentionResponse };
  'GET /projects/{project_id}/summary': { path: { project_id: string }; query: { organization_id?: string }; body: undefined; response: ProjectSummaryResponse };
  'GET /ready': { path: undefined; query: undefined; body: undefined; response: HealthResponse };
  'GET /releases': { path: undefined; query: { limit?: number; cursor?: string; organization_id?: string; project_id?: string; channel_id: string; platform?: Platform }; body: undefined; response: ReleasePage };
  'GET /releases/current/all': { path: undefined; query: { organization_id?: string; project_id?: string; channel_id: string }; body: undefined; response: readonly (ReleaseResponse)[] };
  'GET /releases/recipients': { path: undefined; query: { organization_id?: string; project_id?: string; channel_id: string; build_id: string }; body: undefined; response: RecipientsResponse };
  'GET /releases/{release_id}': { path: { release_id: string }; query: { organization_id?: string; project_id?: string; channel_id: string }; body: undefined; response: ReleaseResponse };
  'GET /search': { path: undefined; query: { organization_id: string; q?: string }; body: undefined; response: SearchResponse };
  'GET /service': { path: undefined; query: undefined; body: undefined; response: ServiceResponse };
  'GET /testers': { path: undefined; query: { limit?: number; cursor?: string; organization_id?: string; project_id?: string; email?: string; q?: string; channel_id?: string; state?: TesterState; behind?: boolean; release_id?: string; build_id?: string; adoption?: AdoptionFilter; has_not?: HasNotFilter }; body: undefined; response: TesterPage };
  'GET /testers/export': { path: undefined; query: { organization_id?: string; project_id?: string; email?: string; q?: string; channel_id?: string; state?: TesterState; behind?: boolean; release_id?: string; build_id?: string; adoption?: AdoptionFilter; has_not?: HasNotFilter }; body: undefined; response: string };
  'GET /testers/{tester_id}': { path: { tester_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: TesterResponse };
  'GET /testers/{tester_id}/downloads': { path: { tester_id: string }; query: { limit?: number; cursor?: string; organization_id?: string; project_id?: string }; body: undefined; response: TesterDownloadPage };
  'GET /update-keys': { path: undefined; query: { limit?: number; cursor?: string; organization_id?: string; project_id?: string; channel_id?: string }; body: undefined; response: UpdateKeyPage };
  'GET /update-keys/{update_key_id}': { path: { update_key_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: UpdateKeyResponse };
  'GET /webhook-deliveries/{webhook_delivery_id}': { path: { webhook_delivery_id: string }; query: { organization_id: string }; body: undefined; response: WebhookDeliveryDetailResponse };
  'GET /webhooks': { path: undefined; query: { limit?: number; cursor?: string; organization_id: string; project_id?: string }; body: undefined; response: WebhookPage };
  'GET /webhooks/{webhook_id}': { path: { webhook_id: string }; query: { organization_id: string }; body: undefined; response: WebhookResponse };
  'GET /webhooks/{webhook_id}/deliveries': { path: { webhook_id: string }; query: { limit?: number; cursor?: string; organization_id: string; state?: WebhookDeliveryState }; body: undefined; response: WebhookDeliveryPage };
  'HEAD /builds/{build_id}/attachments/{attachment_id}/download': { path: { build_id: string; attachment_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: string };
  'HEAD /developers/{developer_id}/verify_email': { path: { developer_id: string }; query: { lang?: "en" | "de" }; body: undefined; response: string };
  'HEAD /exports/{ticket}': { path: { ticket: string }; query: undefined; body: undefined; response: string };
  'PATCH /builds/{build_id}': { path: { build_id: string }; query: { organization_id?: string; project_id?: string }; body: UpdateBuildRequest; response: BuildResponse };
  'PATCH /channels/{channel_id}': { path: { channel_id: string }; query: { organization_id?: string; project_id?: string }; body: UpdateChannelRequest; response: ChannelResponse };
  'PATCH /developers/me': { path: undefined; query: undefined; body: UpdateDeveloperRequest; response: DeveloperResponse };
  'PATCH /devices/{device_id}': { path: { device_id: string }; query: { organization_id?: string; project_id?: string }; body: UpdateDeviceRequest; response: DeviceResponse };
  'PATCH /links/{link_id}': { path: { link_id: string }; query: { organization_id?: string; project_id?: string }; body: UpdateLinkRequest; response: LinkResponse };
  'PATCH /organizations/{organization_id}': { path: { organization_id: string }; query: undefined; body: UpdateOrganizationRequest; response: OrganizationResponse };
  'PATCH /organizations/{organization_id}/billing': { path: { organization_id: string }; query: undefined; body: UpdateBillingRequest; response: BillingAccountResponse };
  'PATCH /organizations/{organization_id}/members/{developer_id}': { path: { organization_id: string; developer_id: string }; query: undefined; body: UpdateMemberRequest; response: MemberResponse };
  'PATCH /projects/{project_id}': { path: { project_id: string }; query: { organization_id: string }; body: UpdateProjectRequest; response: ProjectResponse };
  'PATCH /projects/{project_id}/min-supported-versions': { path: { project_id: string }; query: { organization_id?: string }; body: ChangeMinSupportedRequest; response: MinSupportedResponse };
  'PATCH /testers/{tester_id}': { path: { tester_id: string }; query: { organization_id?: string; project_id?: string }; body: UpdateTesterRequest; response: TesterResponse };
  'PATCH /webhooks/{webhook_id}': { path: { webhook_id: string }; query: { organization_id: string }; body: UpdateWebhookRequest; response: WebhookResponse };
  'POST /billing/webhooks/stripe': { path: undefined; query: undefined; body: {
[key: string]: unknown;
}; response: undefined };
  'POST /builds': { path: undefined; query: { organization_id?: string; project_id?: string }; body: NonNullable<RequestInit['body']>; response: UploadedBuildResponse };
  'POST /builds/delete': { path: undefined; query: { organization_id?: string; project_id?: string }; body: DeleteBuildsRequest; response: BuildDeletionsResponse };
  'POST /builds/delete/preview': { path: undefined; query: { organization_id?: string; project_id?: string }; body: PreviewDeletionRequest; response: DeletionPreviewResponse };
  'POST /builds/restore': { path: undefined; query: { organization_id?: string; project_id?: string }; body: RestoreBuildsRequest; response: BuildRestorationsResponse };
  'POST /builds/uploads': { path: undefined; query: { organization_id?: string; project_id?: string }; body: StartUploadRequest; response: ResumableUploadResponse };
  'POST /builds/uploads/{upload_id}/complete': { path: { upload_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: UploadedBuildResponse };
  'POST /builds/uploads/{upload_id}/part-urls': { path: { upload_id: string }; query: { organization_id?: string; project_id?: string }; body: PartUrlsRequest; response: PartUrlsResponse };
  'POST /builds/{build_id}/attachments': { path: { build_id: string }; query: { organization_id?: string; project_id?: string }; body: NonNullable<RequestInit['body']>; response: AttachmentResponse };
  'POST /builds/{build_id}/download-url': { path: { build_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: DownloadUrlResponse };
  'POST /builds/{build_id}/rotate-link': { path: { build_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: BuildResponse };
  'POST /channels': { path: undefined; query: { organization_id?: string; project_id?: string }; body: CreateChannelRequest; response: ChannelResponse };
  'POST /channels/close-branch': { path: undefined; query: { organization_id?: string; project_id?: string }; body: CloseBranchRequest; response: ClosedBranchResponse };
  'POST /channels/{channel_id}/rotate-link': { path: { channel_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: ChannelResponse };
  'POST /developers': { path: undefined; query: undefined; body: SignUpRequest; response: AcceptedResponse };
  'POST /developers/me/email': { path: undefined; query: undefined; body: ChangeEmailRequest; response: undefined };
  'POST /developers/me/export': { path: undefined; query: undefined; body: RequestExportRequest; response: DataExportResponse };
  'POST /developers/me/invitations/{invitation_id}/accept': { path: { invitation_id: string }; query: undefined; body: undefined; response: OrganizationResponse };
  'POST /developers/me/invitations/{invitation_id}/decline': { path: { invitation_id: string }; query: undefined; body: undefined; response: undefined };
  'POST /developers/me/mfa': { path: undefined; query: undefined; body: EnrolMfaRequest; response: EnrolmentResponse };
  'POST /developers/me/mfa/confirm': { path: undefined; query: undefined; body: ConfirmMfaRequest; response: RecoveryCodesResponse };
  'POST /developers/me/password': { path: undefined; query: undefined; body: ChangePasswordRequest; response: undefined };
  'POST /developers/resend-verification': { path: undefined; query: { lang?: "en" | "de" }; body: EmailRequest; response: string };
  'POST /developers/reset_password': { path: undefined; query: { lang?: "en" | "de" }; body: ResetPasswordRequest; response: string };
  'POST /developers/reset_password_request': { path: undefined; query: { lang?: "en" | "de" }; body: EmailRequest; response: string };
  'POST /developers/{developer_id}/change_email': { path: { developer_id: string }; query: { lang?: "en" | "de" }; body: VerifyEmailRequest; response: string };
  'POST /developers/{developer_id}/verify_email': { path: { developer_id: string }; query: { lang?: "en" | "de" }; body: VerifyEmailRequest; response: string };
  'POST /devices/import': { path: undefined; query: { organization_id?: string; project_id?: string; registered?: boolean; dry_run?: boolean }; body: NonNullable<RequestInit['body']>; response: ImportedDevicesResponse };
  'POST /devices/mark-registered': { path: undefined; query: { organization_id?: string; project_id?: string }; body: MarkRegisteredRequest; response: MarkedRegisteredResponse };
  'POST /links': { path: undefined; query: { organization_id?: string; project_id?: string }; body: CreateLinkRequest; response: LinkResponse };
  'POST /links/{link_id}/grant': { path: { link_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: LinkGrantResponse };
  'POST /links/{link_id}/rotate': { path: { link_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: LinkResponse };
  'POST /login/device': { path: undefined; query: undefined; body: StartDeviceLoginRequest; response: StartedDeviceLoginResponse };
  'POST /login/device/confirm': { path: undefined; query: { organization_id: string }; body: UserCodeRequest; response: undefined };
  'POST /login/device/deny': { path: undefined; query: undefined; body: UserCodeRequest; response: undefined };
  'POST /login/device/token': { path: undefined; query: undefined; body: DeviceCodeRequest; response: NewPersonalAccessTokenResponse };
  'POST /login/email': { path: undefined; query: undefined; body: LoginRequest; response: TokenPairResponse };
  'POST /login/invitation': { path: undefined; query: undefined; body: InvitationLoginRequest; response: TokenPairResponse };
  'POST /login/logout': { path: undefined; query: undefined; body: LogoutRequest; response: undefined };
  'POST /login/refresh': { path: undefined; query: undefined; body: RefreshRequest; response: TokenPairResponse };
  'POST /organizations': { path: undefined; query: undefined; body: CreateOrganizationRequest; response: OrganizationResponse };
  'POST /organizations/invitations/accept': { path: undefined; query: { lang?: "en" | "de" }; body: AcceptInvitationRequest; response: OrganizationResponse };
  'POST /organizations/invitations/preview': { path: undefined; query: undefined; body: InvitationPreviewRequest; response: InvitationPreviewResponse };
  'POST /organizations/{organization_id}/billing/top-ups': { path: { organization_id: string }; query: undefined; body: CreateTopUpRequest; response: TopUpResponse };
  'POST /organizations/{organization_id}/byosa/diagnose': { path: { organization_id: string }; query: undefined; body: undefined; response: ByosaDiagnosisResponse };
  'POST /organizations/{organization_id}/export': { path: { organization_id: string }; query: undefined; body: RequestExportRequest; response: DataExportResponse };
  'POST /organizations/{organization_id}/invitations': { path: { organization_id: string }; query: undefined; body: InviteMemberRequest; response: InvitationResponse };
  'POST /organizations/{organization_id}/plan': { path: { organization_id: string }; query: undefined; body: ChangePlanRequest; response: BillingAccountResponse };
  'POST /organizations/{organization_id}/tokens/identify': { path: { organization_id: string }; query: undefined; body: IdentifyTokenRequest; response: IdentifiedTokenResponse };
  'POST /pats': { path: undefined; query: { organization_id: string }; body: CreatePersonalAccessTokenRequest; response: NewPersonalAccessTokenResponse };
  'POST /pats/revoke': { path: undefined; query: undefined; body: RevokeValueRequest; response: undefined };
  'POST /pats/{token_id}/rotate': { path: { token_id: string }; query: { organization_id: string }; body: undefined; response: NewPersonalAccessTokenResponse };
  'POST /project-access-tokens': { path: undefined; query: { organization_id: string; project_id: string }; body: CreateProjectAccessTokenRequest; response: NewProjectAccessTokenResponse };
  'POST /project-access-tokens/{token_id}/rotate': { path: { token_id: string }; query: { organization_id: string; project_id: string }; body: RotateProjectAccessTokenRequest; response: NewProjectAccessTokenResponse };
  'POST /projects': { path: undefined; query: { organization_id: string }; body: CreateProjectRequest; response: ProjectResponse };
  'POST /projects/{project_id}/retention/preview': { path: { project_id: string }; query: { organization_id: string }; body: PreviewRetentionRequest; response: DeletionPreviewResponse };
  'POST /releases': { path: undefined; query: { organization_id?: string; project_id?: string; channel_id: string }; body: CreateReleaseRequest; response: ReleaseResponse };
  'POST /releases/{release_id}/reminders': { path: { release_id: string }; query: { organization_id?: string; project_id?: string; channel_id?: string }; body: RemindRequest; response: RemindersResponse };
  'POST /releases/{release_id}/undo': { path: { release_id: string }; query: { organization_id?: string; project_id?: string; channel_id: string }; body: undefined; response: UndoneReleaseResponse };
  'POST /testers': { path: undefined; query: { organization_id?: string; project_id?: string }; body: CreateTesterRequest; response: TesterResponse };
  'POST /testers/batch': { path: undefined; query: { organization_id?: string; project_id?: string; channel_id?: string; dry_run?: boolean }; body: TesterBatchRequest; response: ImportedTestersResponse };
  'POST /testers/bulk': { path: undefined; query: { organization_id?: string; project_id?: string }; body: BulkTestersRequest; response: BulkTestersResponse };
  'POST /testers/import': { path: undefined; query: { organization_id?: string; project_id?: string; channel_id?: string; dry_run?: boolean }; body: NonNullable<RequestInit['body']>; response: ImportedTestersResponse };
  'POST /testers/{tester_id}/invite': { path: { tester_id: string }; query: { organization_id?: string; project_id?: string; channel_id?: string }; body: InviteTesterRequest; response: undefined };
  'POST /update-keys': { path: undefined; query: { organization_id?: string; project_id?: string; channel_id?: string }; body: CreateUpdateKeyRequest; response: UpdateKeyResponse };
  'POST /update-keys/{update_key_id}/rotate': { path: { update_key_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: UpdateKeyResponse };
  'POST /webhook-deliveries/{webhook_delivery_id}/redeliver': { path: { webhook_delivery_id: string }; query: { organization_id: string }; body: undefined; response: WebhookDeliveryResponse };
  'POST /webhooks': { path: undefined; query: { organization_id: string; project_id?: string }; body: CreateWebhookRequest; response: NewWebhookResponse };
  'POST /webhooks/{webhook_id}/resume': { path: { webhook_id: string }; query: { organization_id: string }; body: ResumeWebhookRequest; response: WebhookResponse };
  'POST /webhooks/{webhook_id}/rotate-secret': { path: { webhook_id: string }; query: { organization_id: string }; body: undefined; response: NewWebhookResponse };
  'POST /webhooks/{webhook_id}/test': { path: { webhook_id: string }; query: { organization_id: string }; body: TestWebhookRequest; response: WebhookDeliveryResponse };
  'PUT /builds/uploads/parts/{ticket}': { path: { ticket: string }; query: undefined; body: NonNullable<RequestInit['body']>; response: undefined };
  'PUT /builds/{build_id}/update-signature': { path: { build_id: string }; query: { organization_id?: string; project_id?: string }; body: UpdateSignatureRequest; response: UpdateSignatureResponse };
  'PUT /channels/{channel_id}/subscribers': { path: { channel_id: string }; query: { organization_id?: string; project_id?: string }; body: ChangeSubscribersRequest; response: ChangedSubscribersResponse };
  'PUT /organizations/{organization_id}/branding': { path: { organization_id: string }; query: undefined; body: SetBrandingRequest; response: BrandingResponse };
  'PUT /organizations/{organization_id}/byosa': { path: { organization_id: string }; query: undefined; body: PutByosaRequest; response: ByosaResponse };
  'PUT /projects/{project_id}/members/{developer_id}': { path: { project_id: string; developer_id: string }; query: { organization_id: string }; body: PutProjectMemberRequest; response: ProjectMemberResponse };
  'PUT /projects/{project_id}/retention': { path: { project_id: string }; query: { organization_id: string }; body: SetRetentionRequest; response: RetentionResponse };
  'PUT /testers/{tester_id}/subscriptions/{channel_id}': { path: { tester_id: string; channel_id: string }; query: { organization_id?: string; project_id?: string }; body: undefined; response: SubscriptionResponse };
}

/** The roles that each route requires, as its `x-access` says. */
export const REQUIRED_ROLES = {
  'DELETE /builds/uploads/{upload_id}': {"organization":null,"project":"UPLOAD_BUILD"},
  'DELETE /builds/{build_id}': {"organization":null,"project":"MANAGE_RELEASES"},
  'DELETE /builds/{build_id}/attachments/{attachment_id}': {"organization":null,"project":"UPLOAD_BUILD"},
  'DELETE /channels/{channel_id}': {"organization":null,"project":"MANAGE_RELEASES"},
  'DELETE /devices/{device_id}': {"organization":null,"project":"MANAGE_TESTERS"},
  'DELETE /links/{link_id}': {"organization":null,"project":"MANAGE_RELEASES"},
  'DELETE /organizations/{organization_id}': {"organization":["ADMIN"],"project":null},
  'DELETE /organizations/{organization_id}/byosa': {"organization":["ADMIN"],"project":null},
  'DELETE /organizations/{organization_id}/invitations/{invitation_id}': {"organization":["ADMIN"],"project":null},
  'DELETE /organizations/{organization_id}/members/{developer_id}': {"organization":"member","project":null},
  'DELETE /pats/{token_id}': {"organization":"member","project":null},
  'DELETE /project-access-tokens/{token_id}': {"organization":null,"project":"UPLOAD_BUILD"},
  'DELETE /projects/{project_id}': {"organization":["MANAGER"],"project":"VIEW_PROJECT"},
  'DELETE /projects/{project_id}/members/{developer_id}': {"organization":null,"project":"MANAGE_PROJECT"},
  'DELETE /releases/{release_id}': {"organization":null,"project":"MANAGE_RELEASES"},
  'DELETE /testers/{tester_id}': {"organization":null,"project":"MANAGE_TESTERS"},
  'DELETE /testers/{tester_id}/subscriptions/{channel_id}': {"organization":null,"project":"MANAGE_TESTERS"},
  'DELETE /update-keys/{update_key_id}': {"organization":null,"project":"MANAGE_RELEASES"},
  'DELETE /webhooks/{webhook_id}': {"organization":"member","project":null},
  'GET /audit/organization/{organization_id}': {"organization":["AUDITOR"],"project":null},
  'GET /audit/organization/{organization_id}/export.csv': {"organization":["AUDITOR"],"project":null},
  'GET /audit/organization/{organization_id}/facets': {"organization":["AUDITOR"],"project":null},
  'GET /builds': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /builds/facets': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /builds/latest': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /builds/uploads': {"organization":null,"project":"UPLOAD_BUILD"},
  'GET /builds/uploads/{upload_id}': {"organization":null,"project":"UPLOAD_BUILD"},
  'GET /builds/{build_id}': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /builds/{build_id}/adoption': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /builds/{build_id}/attachments': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /builds/{build_id}/attachments/{attachment_id}/download': {"organization":null,"project":"DOWNLOAD_BUILD"},
  'GET /builds/{build_id}/compare': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /builds/{build_id}/devices': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /builds/{build_id}/diff': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /builds/{build_id}/downloads': {"organization":null,"project":"MANAGE_TESTERS"},
  'GET /builds/{build_id}/downloads.csv': {"organization":null,"project":"MANAGE_TESTERS"},
  'GET /builds/{build_id}/funnel': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /builds/{build_id}/update-signature': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /channels': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /channels/{channel_id}': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /devices': {"organization":null,"project":"MANAGE_TESTERS"},
  'GET /devices/export': {"organization":null,"project":"MANAGE_TESTERS"},
  'GET /events': {"organization":"member","project":null},
  'GET /links': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /links/{link_id}': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /organizations/{organization_id}': {"organization":"member","project":null},
  'GET /organizations/{organization_id}/billing': {"organization":["BILLING"],"project":null},
  'GET /organizations/{organization_id}/billing/ledger': {"organization":["BILLING"],"project":null},
  'GET /organizations/{organization_id}/billing/statements': {"organization":["BILLING"],"project":null},
  'GET /organizations/{organization_id}/billing/top-ups': {"organization":["BILLING"],"project":null},
  'GET /organizations/{organization_id}/branding': {"organization":"member","project":null},
  'GET /organizations/{organization_id}/byosa': {"organization":["ADMIN"],"project":null},
  'GET /organizations/{organization_id}/export': {"organization":["ADMIN"],"project":null},
  'GET /organizations/{organization_id}/invitations': {"organization":["ADMIN"],"project":null},
  'GET /organizations/{organization_id}/members': {"organization":"member","project":null},
  'GET /organizations/{organization_id}/project-access-tokens': {"organization":["MANAGER"],"project":null},
  'GET /organizations/{organization_id}/quotas': {"organization":"member","project":null},
  'GET /organizations/{organization_id}/usage': {"organization":["BILLING"],"project":null},
  'GET /pats': {"organization":"member","project":null},
  'GET /project-access-tokens': {"organization":null,"project":"UPLOAD_BUILD"},
  'GET /projects': {"organization":"member","project":null},
  'GET /projects/{project_id}': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /projects/{project_id}/adoption': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /projects/{project_id}/downloads/daily': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /projects/{project_id}/members': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /projects/{project_id}/members/{developer_id}': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /projects/{project_id}/min-supported-versions': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /projects/{project_id}/quotas': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /projects/{project_id}/releases': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /projects/{project_id}/retention': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /projects/{project_id}/summary': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /releases': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /releases/current/all': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /releases/recipients': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /releases/{release_id}': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /search': {"organization":"member","project":null},
  'GET /testers': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /testers/export': {"organization":null,"project":"MANAGE_TESTERS"},
  'GET /testers/{tester_id}': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /testers/{tester_id}/downloads': {"organization":null,"project":"MANAGE_TESTERS"},
  'GET /update-keys': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /update-keys/{update_key_id}': {"organization":null,"project":"VIEW_PROJECT"},
  'GET /webhook-deliveries/{webhook_delivery_id}': {"organization":"member","project":null},
  'GET /webhooks': {"organization":"member","project":null},
  'GET /webhooks/{webhook_id}': {"organization":"member","project":null},
  'GET /webhooks/{webhook_id}/deliveries': {"organization":"member","project":null},
  'HEAD /builds/{build_id}/attachments/{attachment_id}/download': {"organization":null,"project":"DOWNLOAD_BUILD"},
  'PATCH /builds/{build_id}': {"organization":null,"project":"UPLOAD_BUILD"},
  'PATCH /channels/{channel_id}': {"organization":null,"project":"MANAGE_RELEASES"},
  'PATCH /devices/{device_id}': {"organization":null,"project":"MANAGE_TESTERS"},
  'PATCH /links/{link_id}': {"organization":null,"project":"MANAGE_RELEASES"},
  'PATCH /organizations/{organization_id}': {"organization":["ADMIN"],"project":null},
  'PATCH /organizations/{organization_id}/billing': {"organization":["BILLING"],"project":null},
  'PATCH /organizations/{organization_id}/members/{developer_id}': {"organization":["ADMIN"],"project":null},
  'PATCH /projects/{project_id}': {"organization":null,"project":"MANAGE_PROJECT"},
  'PATCH /projects/{project_id}/min-supported-versions': {"organization":null,"project":"MANAGE_RELEASES"},
  'PATCH /testers/{tester_id}': {"organization":null,"project":"MANAGE_TESTERS"},
  'PATCH /webhooks/{webhook_id}': {"organization":"member","project":null},
  'POST /builds': {"organization":null,"project":"UPLOAD_BUILD"},
  'POST /builds/delete': {"organization":null,"project":"MANAGE_RELEASES"},
  'POST /builds/delete/preview': {"organization":null,"project":"MANAGE_RELEASES"},
  'POST /builds/restore': {"organization":null,"project":"MANAGE_RELEASES"},
  'POST /builds/uploads': {"organization":null,"project":"UPLOAD_BUILD"},
  'POST /builds/uploads/{upload_id}/complete': {"organization":null,"project":"UPLOAD_BUILD"},
  'POST /builds/uploads/{upload_id}/part-urls': {"organization":null,"project":"UPLOAD_BUILD"},
  'POST /builds/{build_id}/attachments': {"organization":null,"project":"UPLOAD_BUILD"},
  'POST /builds/{build_id}/download-url': {"organization":null,"project":"DOWNLOAD_BUILD"},
  'POST /builds/{build_id}/rotate-link': {"organization":null,"project":"MANAGE_RELEASES"},
  'POST /channels': {"organization":null,"project":"MANAGE_RELEASES"},
  'POST /channels/close-branch': {"organization":null,"project":"MANAGE_RELEASES"},
  'POST /channels/{channel_id}/rotate-link': {"organization":null,"project":"MANAGE_RELEASES"},
  'POST /devices/import': {"organization":null,"project":"MANAGE_TESTERS"},
  'POST /devices/mark-registered': {"organization":null,"project":"MANAGE_TESTERS"},
  'POST /links': {"organization":null,"project":"MANAGE_RELEASES"},
  'POST /links/{link_id}/grant': {"organization":null,"project":"DOWNLOAD_BUILD"},
  'POST /links/{link_id}/rotate': {"organization":null,"project":"MANAGE_RELEASES"},
  'POST /login/device/confirm': {"organization":"member","project":null},
  'POST /organizations/{organization_id}/billing/top-ups': {"organization":["BILLING"],"project":null},
  'POST /organizations/{organization_id}/byosa/diagnose': {"organization":["ADMIN"],"project":null},
  'POST /organizations/{organization_id}/export': {"organization":["ADMIN"],"project":null},
  'POST /organizations/{organization_id}/invitations': {"organization":["ADMIN"],"project":null},
  'POST /organizations/{organization_id}/plan': {"organization":["BILLING"],"project":null},
  'POST /organizations/{organization_id}/tokens/identify': {"organization":"member","project":null},
  'POST /pats': {"organization":"member","project":null},
  'POST /pats/{token_id}/rotate': {"organization":"member","project":null},
  'POST /project-access-tokens': {"organization":null,"project":"UPLOAD_BUILD"},
  'POST /project-access-tokens/{token_id}/rotate': {"organization":null,"project":"UPLOAD_BUILD"},
  'POST /projects': {"organization":["MANAGER"],"project":null},
  'POST /projects/{project_id}/retention/preview': {"organization":null,"project":"MANAGE_PROJECT"},
  'POST /releases': {"organization":null,"project":"MANAGE_RELEASES"},
  'POST /releases/{release_id}/reminders': {"organization":null,"project":"MANAGE_TESTERS"},
  'POST /releases/{release_id}/undo': {"organization":null,"project":"MANAGE_RELEASES"},
  'POST /testers': {"organization":null,"project":"MANAGE_TESTERS"},
  'POST /testers/batch': {"organization":null,"project":"MANAGE_TESTERS"},
  'POST /testers/bulk': {"organization":null,"project":"MANAGE_TESTERS"},
  'POST /testers/import': {"organization":null,"project":"MANAGE_TESTERS"},
  'POST /testers/{tester_id}/invite': {"organization":null,"project":"MANAGE_TESTERS"},
  'POST /update-keys': {"organization":null,"project":"MANAGE_RELEASES"},
  'POST /update-keys/{update_key_id}/rotate': {"organization":null,"project":"MANAGE_RELEASES"},
  'POST /webhook-deliveries/{webhook_delivery_id}/redeliver': {"organization":"member","project":null},
  'POST /webhooks': {"organization":"member","project":null},
  'POST /webhooks/{webhook_id}/resume': {"organization":"member","project":null},
  'POST /webhooks/{webhook_id}/rotate-secret': {"organization":"member","project":null},
  'POST /webhooks/{webhook_id}/test': {"organization":"member","project":null},
  'PUT /builds/{build_id}/update-signature': {"organization":null,"project":"UPLOAD_BUILD"},
  'PUT /channels/{channel_id}/subscribers': {"organization":null,"project":"MANAGE_TESTERS"},
  'PUT /organizations/{organization_id}/branding': {"organization":["ADMIN"],"project":null},
  'PUT /organizations/{organization_id}/byosa': {"organization":["ADMIN"],"project":null},
  'PUT /projects/{project_id}/members/{developer_id}': {"organization":null,"project":"MANAGE_PROJECT"},
  'PUT /projects/{project_id}/retention': {"organization":null,"project":"MANAGE_PROJECT"},
  'PUT /testers/{tester_id}/subscriptions/{channel_id}': {"organization":null,"project":"MANAGE_TESTERS"},
} as const satisfies Partial<Record<keyof Routes, unknown>>;
