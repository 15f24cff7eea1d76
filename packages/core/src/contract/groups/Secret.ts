/** Secrets of workflows, and the endpoints that all owners of secrets have. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import type * as Exposure from "../Exposure.ts"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { Timestamp } from "../Scalars.ts"

/** Members of every secret. No response has the value. */
export const secretFields = { name: Schema.String, created_at: Timestamp, updated_at: Timestamp }

/** A secret of a repository or environment. */
export const Secret = Schema.Struct(secretFields).annotate({
  identifier: "Secret",
  ...Presentation.of({
    columns: { NAME: "name", CREATED: "created_at", UPDATED: "updated_at" },
    arguments: { secret_name: "name" }
  })
})
export type Secret = typeof Secret.Type

/** A page of secrets. */
export const SecretList = Schema.Struct({ total_count: Schema.Int, secrets: Schema.Array(Secret) }).annotate({
  identifier: "SecretList"
})

/** A public key (X25519, in Base64) for the sealed boxes of secrets. */
export const SecretKey = Schema.Struct({
  key_id: Schema.String,
  key: Schema.String,
  id: Schema.optionalKey(Schema.Int),
  url: Schema.optionalKey(Schema.String),
  title: Schema.optionalKey(Schema.String),
  created_at: Schema.optionalKey(Timestamp)
}).annotate({ identifier: "SecretKey", ...Presentation.of({ columns: { ID: "key_id", KEY: "key" } }) })
export type SecretKey = typeof SecretKey.Type

const value = Schema.String.annotate({
  description: "The value in a sealed box of libsodium for the public key, in Base64."
})
const keyId = Schema.String.annotate({ description: "Id of the public key." })

/** Input fields of a secret of a repository or environment. */
export const secretInput = { encrypted_value: value, key_id: keyId }

/** Input fields of a secret of an organization, whose value can stay the same. */
export const optionalSecretInput = {
  encrypted_value: Schema.optionalKey(value),
  key_id: Schema.optionalKey(keyId)
}

/** Path parameter: the name of a secret. */
export const secretPath = { secret_name: Schema.String.annotate({ description: "Name of the secret." }) }

/** Access rules of one endpoint. */
type Rules = Pick<Operation.Operation, "access" | "permission" | "privateScopes" | "scopes">

/** The owner of secrets: where its endpoints are, and who may call them. */
interface Owner<Path extends `/${string}`, Params, Item, List, Input> {
  /** The owner in ids of operations, for example `repo`. */
  readonly id: string
  /** The owner in summaries, for example `a repository`. */
  readonly words: string
  readonly path: Path
  readonly params: Params
  readonly item: Item
  readonly list: List
  readonly input: Input
  readonly reads: Rules
  readonly writes: Rules
  readonly readsKey: Rules
  readonly exposure?: Exposure.Exposure
}

/** Declares the endpoints of an owner's secrets. */
export const endpoints = <
  const Path extends `/${string}`,
  Params extends Schema.Struct.Fields,
  Item extends Schema.Top,
  List extends Schema.Top & { readonly Type: { readonly total_count: number } },
  Input extends Schema.Struct.Fields
>({
  exposure,
  id,
  input,
  item,
  list,
  params,
  path,
  reads,
  readsKey,
  words,
  writes
}: Owner<Path, Params, Item, List, Input>) =>
  [
    HttpApiEndpoint.get("list", `${path}/secrets` as const, {
      params,
      query: pageQuery,
      success: Paged(list),
      error: notFound
    }).annotateMerge(
      Operation.annotations({
        operationId: `actions/list-${id}-secrets`,
        summary: `List secrets of ${words}`,
        ...reads,
        paging: "page"
      })
    ),
    HttpApiEndpoint.get("getPublicKey", `${path}/secrets/public-key` as const, {
      params,
      success: SecretKey,
      error: notFound
    }).annotateMerge(
      Operation.annotations({
        operationId: `actions/get-${id}-public-key`,
        summary: `Get the public key for secrets of ${words}`,
        words: "encrypt, sealed box",
        command: "public-key",
        ...readsKey
      })
    ),
    HttpApiEndpoint.get("get", `${path}/secrets/:secret_name` as const, {
      params: { ...params, ...secretPath },
      success: item,
      error: notFound
    }).annotateMerge(
      Operation.annotations({
        operationId: `actions/get-${id}-secret`,
        summary: `Get a secret of ${words}`,
        description: "Without the value, which no operation returns.",
        ...reads
      })
    ),
    HttpApiEndpoint.put("createOrUpdate", `${path}/secrets/:secret_name` as const, {
      params: { ...params, ...secretPath },
      payload: Schema.Struct(input),
      success: [Schema.NullOr(Schema.Struct({})).pipe(HttpApiSchema.status(201)), HttpApiSchema.NoContent],
      error: [notFound, validationFailed]
    }).annotateMerge(
      Operation.annotations({
        operationId: `actions/create-or-update-${id}-secret`,
        summary: `Create or update a secret of ${words}`,
        words: "set secret, password, credential",
        description: "The value is a sealed box of libsodium for the public key.",
        command: "set",
        ...writes,
        reversible: false, // the API never returns the value
        ...(exposure === undefined ? {} : { exposure })
      })
    ),
    HttpApiEndpoint.delete("delete", `${path}/secrets/:secret_name` as const, {
      params: { ...params, ...secretPath },
      success: HttpApiSchema.NoContent,
      error: notFound
    }).annotateMerge(
      Operation.annotations({
        operationId: `actions/delete-${id}-secret`,
        summary: `Delete a secret of ${words}`,
        words: "remove secret",
        ...writes
      })
    )
  ] as const // a tuple, so that each endpoint keeps its type
