/** Public SSH keys of accounts. */
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

/** An SSH key of the signed-in user. */
export const Key = Schema.Struct({
  key: Schema.String,
  id: Schema.Int,
  url: Schema.String,
  title: Schema.String,
  created_at: Timestamp,
  verified: Schema.Boolean,
  read_only: Schema.Boolean
}).annotate({
  identifier: "Key",
  ...Presentation.of({
    columns: { ID: "id", TITLE: "title", CREATED: "created_at", VERIFIED: "verified", KEY: "key" },
    title: "title"
  })
})
export type Key = typeof Key.Type

/** The public part of a key. */
export const PublicKey = Schema.Struct({ id: Schema.Int, key: Schema.String }).annotate({
  identifier: "PublicKey",
  ...Presentation.of({ columns: { ID: "id", KEY: "key" }, title: "key" })
})
export type PublicKey = typeof PublicKey.Type

const sshKeys = (level: "read" | "write", scope: string) =>
  ({ permission: [[{ target: "user", category: "git_ssh_keys", level }]], scopes: [scope] }) as const
const keyPath = { key_id: Schema.Int.annotate({ description: "Id of the key." }) }

/** Endpoints of SSH keys. */
export class Keys extends Group.make("keys", () => [
  HttpApiEndpoint.get("listForAuthenticatedUser", "/user/keys", {
    query: pageQuery,
    success: Paged(Schema.Array(Key)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/list-public-ssh-keys-for-authenticated-user",
      summary: "List your SSH keys",
      words: "ssh keys",
      command: "mine",
      ...sshKeys("read", "read:public_key"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("createForAuthenticatedUser", "/user/keys", {
    payload: Schema.Struct({
      title: Schema.optionalKey(Schema.String.annotate({ description: "Label of the key." })),
      key: Schema.String.annotate({ description: "The public key, for example `ssh-ed25519 AAAA…`." })
    }),
    success: Key.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/create-public-ssh-key-for-authenticated-user",
      summary: "Add an SSH key",
      words: "new key, add key, ssh key",
      command: "create",
      notModified: true,
      ...sshKeys("write", "write:public_key"),
      exposure: {
        gives: "access",
        consequence:
          "Anyone with the private key can read and change everything that your account can, until the key is removed."
      }
    })
  ),
  HttpApiEndpoint.get("getForAuthenticatedUser", "/user/keys/:key_id", {
    params: keyPath,
    success: Key,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/get-public-ssh-key-for-authenticated-user",
      summary: "Get one of your SSH keys",
      command: "get",
      ...sshKeys("read", "read:public_key")
    })
  ),
  HttpApiEndpoint.delete("deleteForAuthenticatedUser", "/user/keys/:key_id", {
    params: keyPath,
    success: HttpApiSchema.NoContent,
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/delete-public-ssh-key-for-authenticated-user",
      summary: "Remove an SSH key",
      words: "delete key",
      command: "delete",
      notModified: true,
      ...sshKeys("write", "admin:public_key")
    })
  ),
  HttpApiEndpoint.get("listForUser", "/users/:username/keys", {
    params: usernamePath,
    query: pageQuery,
    success: Paged(Schema.Array(PublicKey)),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/list-public-keys-for-user",
      summary: "List a user's verified SSH keys",
      command: "list",
      public: true,
      paging: "page"
    })
  )
]) {}
