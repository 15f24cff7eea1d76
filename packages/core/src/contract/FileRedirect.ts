/**
 * A successful response that redirects to a file. The client follows the 302 without the credential, because the URL is
 * signed, and returns the bytes of the file.
 */
import * as Schema from "effect/Schema"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

/** HTTP status of a redirect to a file. */
export const status = 302 // oxlint-disable-line tongs/constant-case -- public name

/** Declares a successful response that redirects to a file. */
export const FileRedirect = Schema.Uint8Array.pipe(
  HttpApiSchema.asNoContent({ decode: () => new Uint8Array() }),
  HttpApiSchema.status(status)
).annotate({ description: "Found: the file is at `Location`" })
