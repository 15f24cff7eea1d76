/** What the forge says about itself. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"

/** The version of a forge, and how to sign in. Forges can have further members. */
export const ForgeMeta = Schema.Struct({
  verifiable_password_authentication: Schema.Boolean,
  /** The version of GitHub Enterprise Server whose API the forge has. */
  installed_version: Schema.optionalKey(Schema.String),
  /** The public PGP key of the signatures by the forge, armored. Absent if the forge has no key. */
  commit_signing_key: Schema.optionalKey(Schema.String),
  ssh_keys: Schema.optionalKey(Schema.Array(Schema.String)),
  ssh_key_fingerprints: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
}).annotate({ identifier: "ForgeMeta" })

/** Endpoint of the forge's version. */
export class Meta extends Group.make("meta", () => [
  HttpApiEndpoint.get("get", "/meta", { success: ForgeMeta }).annotateMerge(
    Operation.annotations({
      operationId: "meta/get",
      summary: "Get the version of the forge",
      words: "server version, ip addresses",
      public: true
    })
  )
]) {}
