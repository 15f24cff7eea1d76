/**
 * The success of an endpoint that redirects to a file. The client follows the 302 without its credential, because the
 * address is signed, and gives the bytes of the file.
 */
import * as Schema from "effect/Schema"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"

/** The status of a redirect to a file. */
export const status = 302

/** Declares a success that redirects to a file. */
export const FileRedirect = Schema.Uint8Array.pipe(
  HttpApiSchema.asNoContent({ decode: () => new Uint8Array() }),
  HttpApiSchema.status(status)
).annotate({ description: "Found: the file is at `Location`" })
