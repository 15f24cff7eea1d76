/** Errors of git's HTTP protocol, as text that git prints after `remote:`. */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as ApiError from "../../api/ApiError.ts"

/** Creates the response for an error. 401 has the challenge on which git asks for a user name and a token. */
export const response = (error: ApiError.ApiError): HttpServerResponse.HttpServerResponse => {
  const status = ApiError.status(error)
  const detail = status === 401 ? unauthorized(error) : error.detail
  return HttpServerResponse.text(`${detail}\n`, {
    status,
    headers: {
      "cache-control": "no-store",
      ...(status === 401 ? { "www-authenticate": 'Basic realm="Tongs"' } : {}),
      ...(status === 503 ? { "retry-after": String(ApiError.RETRY_AFTER) } : {})
    },
    contentType: "text/plain; charset=utf-8"
  })
}

const unauthorized = ({ detail }: ApiError.ApiError) =>
  detail === "Bad credentials"
    ? "Invalid token. Use an access token of this forge as password."
    : "Authentication required. Use an access token of this forge as password."

/** The answer to Git LFS, which reads `message`. */
export const noLfs = HttpServerResponse.text(
  JSON.stringify({ message: "This forge has no Git LFS. Push the files themselves", documentation_url: "" }),
  { status: 501, contentType: "application/vnd.git-lfs+json" }
)
