/** Public GPG keys of accounts, which verify signatures of commits and tags. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, usernamePath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { AnyJson, Timestamp } from "../Scalars.ts"

/** An address of a key's identities, and whether it is a verified address of the account. */
const KeyEmail = Schema.Struct({
  email: Schema.optionalKey(Schema.String),
  verified: Schema.optionalKey(Schema.Boolean)
})

const part = {
  id: Schema.Int,
  primary_key_id: Schema.NullOr(Schema.Int),
  /** The last 16 hexadecimal digits of the fingerprint. */
  key_id: Schema.String,
  /** The packet of the public key in Base64. */
  public_key: Schema.String,
  emails: Schema.Array(KeyEmail),
  can_sign: Schema.Boolean,
  can_encrypt_comms: Schema.Boolean,
  can_encrypt_storage: Schema.Boolean,
  can_certify: Schema.Boolean,
  created_at: Timestamp,
  expires_at: Schema.NullOr(Timestamp),
  revoked: Schema.Boolean,
  /** The armored key as it was added; null in a subkey. */
  raw_key: Schema.NullOr(Schema.String)
}

/** GitHub describes all members of a subkey as optional. */
const GpgSubkey = Schema.Struct({ ...part, subkeys: Schema.Array(AnyJson) })
  .mapFields(Struct.map(Schema.optionalKey))
  .annotate({ identifier: "GpgSubkey" })

/** A GPG key with its subkeys. */
export const GpgKey = Schema.Struct({
  ...part,
  name: Schema.optionalKey(Schema.NullOr(Schema.String)),
  subkeys: Schema.Array(GpgSubkey)
}).annotate({
  identifier: "GpgKey",
  ...Presentation.of({
    columns: { ID: "id", KEY_ID: "key_id", NAME: "name", CREATED: "created_at", EXPIRES: "expires_at" },
    title: "key_id",
    arguments: { gpg_key_id: "id" }
  })
})
export type GpgKey = typeof GpgKey.Type

const gpgKeys = (level: "read" | "write", scope: string) =>
  ({ permission: [[{ target: "user", category: "gpg_keys", level }]], scopes: [scope] }) as const // literal types
const keyPath = { gpg_key_id: Schema.Int.annotate({ description: "Id of the key." }) }

/** Endpoints of GPG keys. */
export class GpgKeys extends Group.make("gpgKeys", () => [
  HttpApiEndpoint.get("listForAuthenticatedUser", "/user/gpg_keys", {
    query: pageQuery,
    success: Paged(Schema.Array(GpgKey)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/list-gpg-keys-for-authenticated-user",
      summary: "List your GPG keys",
      words: "pgp, signatures",
      command: "mine",
      ...gpgKeys("read", "read:gpg_key"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("createForAuthenticatedUser", "/user/gpg_keys", {
    payload: Schema.Struct({
      name: Schema.optionalKey(Schema.String.annotate({ description: "Label of the key." })),
      armored_public_key: Schema.String.annotate({
        description: "The public key, as `gpg --armor --export` prints it."
      })
    }),
    success: GpgKey.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/create-gpg-key-for-authenticated-user",
      summary: "Add a GPG key",
      words: "pgp, signatures",
      command: "create",
      notModified: true,
      ...gpgKeys("write", "write:gpg_key"),
      exposure: {
        gives: "access",
        consequence: "Commits that anyone signs with the private key are shown as yours, verified."
      }
    })
  ),
  HttpApiEndpoint.get("getForAuthenticatedUser", "/user/gpg_keys/:gpg_key_id", {
    params: keyPath,
    success: GpgKey,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/get-gpg-key-for-authenticated-user",
      summary: "Get one of your GPG keys",
      command: "get",
      ...gpgKeys("read", "read:gpg_key")
    })
  ),
  HttpApiEndpoint.delete("deleteForAuthenticatedUser", "/user/gpg_keys/:gpg_key_id", {
    params: keyPath,
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/delete-gpg-key-for-authenticated-user",
      summary: "Remove a GPG key",
      words: "pgp",
      command: "delete",
      description: "Signatures of the key are no longer verified.",
      notModified: true,
      ...gpgKeys("write", "admin:gpg_key")
    })
  ),
  HttpApiEndpoint.get("listForUser", "/users/:username/gpg_keys", {
    params: usernamePath,
    query: pageQuery,
    success: Paged(Schema.Array(GpgKey)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/list-gpg-keys-for-user",
      summary: "List a user's GPG keys",
      command: "list",
      public: true,
      paging: "page"
    })
  )
]) {}
