/** Email addresses of the signed-in user. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { notFound, validationFailed } from "../FailureCodec.ts"
import * as Group from "../Group.ts"
import * as Operation from "../Operation.ts"
import { Paged } from "../Paged.ts"
import { pageQuery } from "../Parameters.ts"
import * as Presentation from "../Presentation.ts"
import { openEnum } from "../Scalars.ts"

/** An address of the signed-in user. Only the primary address has a visibility. */
export const Email = Schema.Struct({
  email: Schema.String,
  primary: Schema.Boolean,
  verified: Schema.Boolean,
  visibility: Schema.NullOr(openEnum(["public", "private"]))
}).annotate({
  identifier: "Email",
  ...Presentation.of({
    columns: { EMAIL: "email", PRIMARY: "primary", VERIFIED: "verified", VISIBILITY: "visibility" },
    title: "email"
  })
})
export type Email = typeof Email.Type

const addresses = (level: "read" | "write") =>
  ({
    permission: [[{ target: "user", category: "email_addresses", level }]],
    scopes: [level === "read" ? "user:email" : "user"]
  }) as const // literal types
const list = Schema.Array(Email)
const payload = Schema.Struct({
  emails: Schema.Array(Schema.String).annotate({ description: "Email addresses." })
})

/** Endpoints of email addresses. */
export class Emails extends Group.make("emails", () => [
  HttpApiEndpoint.get("list", "/user/emails", {
    query: pageQuery,
    success: Paged(list),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/list-emails-for-authenticated-user",
      summary: "List your email addresses",
      words: "mail",
      ...addresses("read"),
      paging: "page"
    })
  ),
  HttpApiEndpoint.post("add", "/user/emails", {
    payload,
    success: list.pipe(HttpApiSchema.status(201)),
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/add-email-for-authenticated-user",
      summary: "Add email addresses",
      words: "mail",
      ...addresses("write"),
      listBody: "emails",
      notModified: true
    })
  ),
  HttpApiEndpoint.delete("delete", "/user/emails", {
    payload,
    success: HttpApiSchema.NoContent,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/delete-email-for-authenticated-user",
      summary: "Remove email addresses",
      ...addresses("write"),
      listBody: "emails",
      notModified: true
    })
  ),
  HttpApiEndpoint.patch("setVisibility", "/user/email/visibility", {
    payload: Schema.Struct({
      visibility: Schema.Literals(["public", "private"]).annotate({
        description:
          "`public` if everyone sees your primary address. `private`: commits that you make here have a no-reply address."
      })
    }),
    success: list,
    error: [notFound, validationFailed]
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/set-primary-email-visibility-for-authenticated-user",
      summary: "Show or hide your primary email address",
      words: "no-reply, privacy",
      ...addresses("write"),
      notModified: true,
      reversible: false,
      exposure: {
        gives: "data",
        consequence: "Everyone sees your primary email address.",
        when: { values: { visibility: ["public"] } }
      }
    })
  ),
  HttpApiEndpoint.get("listPublic", "/user/public_emails", {
    query: pageQuery,
    success: Paged(list),
    error: notFound
  }).annotateMerge(
    Operation.annotations({
      operationId: "users/list-public-emails-for-authenticated-user",
      summary: "List your public email addresses",
      ...addresses("read"),
      paging: "page"
    })
  )
]) {}
