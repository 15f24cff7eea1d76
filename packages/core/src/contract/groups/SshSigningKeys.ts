/** Public SSH keys of accounts that only verify signatures of commits and tags. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery, usernamePath } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { Timestamp } from "../Scalars.ts"

/** An SSH key that signs, but does not sign in. */
export const SshSigningKey = Schema.Struct({
  key: Schema.String,
  id: Schema.Int,
  title: Schema.String,
  created_at: Timestamp
}).annotate({
  identifier: "SshSigningKey",
  ...Presentation.of({
    columns: { ID: "id", TITLE: "title", CREATED: "created_at", KEY: "key" },
    title: "title",
    arguments: { ssh_signing_key_id: "id" }
  })
})
export type SshSigningKey = typeof SshSigningKey.Type

const signingKeys = (level: "read" | "write", scope: string) =>
  ({ permission: [[{ target: "user", category: "git_signing_ssh_public_keys", level }]], scopes: [scope] }) as const // literal types
const keyPath = { ssh_signing_key_id: Schema.Int.annotate({ description: "Id of the key." }) }

/** Endpoints of SSH signing keys. */
export class SshSigningKeys extends Group.make("sshSigningKeys", () => [
  HttpApiEndpoint.get("listForAuthenticatedUser", "/user/ssh_signing_keys", {
    query: pageQuery,
    success: Paged(Schema.Array(SshSigningKey)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/list-ssh-signing-keys-for-authenticated-user",
      summary: "List your SSH signing keys",
      words: "signatures",
      command: "mine",
      ...signingKeys("read", "read:ssh_signing_key"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("createForAuthenticatedUser", "/user/ssh_signing_keys", {
    payload: Schema.Struct({
      title: Schema.optionalKey(Schema.String.annotate({ description: "Label of the key." })),
      key: Schema.String.annotate({ description: "The public key, for example `ssh-ed25519 AAAA…`." })
    }),
    success: SshSigningKey.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/create-ssh-signing-key-for-authenticated-user",
      summary: "Add an SSH signing key",
      words: "signatures",
      command: "create",
      notModified: true,
      ...signingKeys("write", "write:ssh_signing_key"),
      exposure: {
        gives: "access",
        consequence: "Commits that anyone signs with the private key are shown as yours, verified."
      }
    })
  ),
  HttpApiEndpoint.get("getForAuthenticatedUser", "/user/ssh_signing_keys/:ssh_signing_key_id", {
    params: keyPath,
    success: SshSigningKey,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/get-ssh-signing-key-for-authenticated-user",
      summary: "Get one of your SSH signing keys",
      command: "get",
      ...signingKeys("read", "read:ssh_signing_key")
    })
  ),
  HttpApiEndpoint.delete("deleteForAuthenticatedUser", "/user/ssh_signing_keys/:ssh_signing_key_id", {
    params: keyPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/delete-ssh-signing-key-for-authenticated-user",
      summary: "Remove an SSH signing key",
      command: "delete",
      description: "Signatures of the key are no longer verified.",
      notModified: true,
      ...signingKeys("write", "admin:ssh_signing_key")
    })
  ),
  HttpApiEndpoint.get("listForUser", "/users/:username/ssh_signing_keys", {
    params: usernamePath,
    query: pageQuery,
    success: Paged(Schema.Array(SshSigningKey)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/list-ssh-signing-keys-for-user",
      summary: "List a user's SSH signing keys",
      command: "list",
      public: true,
      paging: "page"
    })
  )
]) {}
