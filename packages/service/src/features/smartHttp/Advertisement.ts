/** Responses to `info/refs`. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Service } from "./GitPath.ts"
import * as ProtocolVersion from "./ProtocolVersion.ts"
import type { StreamOutput, TransferRequest, Transfers } from "./Transfers.ts"

/** Responds with the references or capabilities that a service prints. */
export const respond = (
  transfers: Transfers["Service"],
  transfer: TransferRequest,
  service: Service,
  output: StreamOutput
) =>
  transfers.respond(
    transfer,
    `application/x-${service}-advertisement`,
    isIntroduced(transfer, service)
      ? Effect.map(output, (refs) => Stream.concat(Stream.make(introduction(service)), refs))
      : output
  )

/** False for version 2 of the protocol, which receive-pack does not have. */
const isIntroduced = ({ request }: TransferRequest, service: Service) =>
  service === "git-receive-pack" || ProtocolVersion.of(request.headers["git-protocol"]) !== 2

/** The first packet line, which names the service, and a flush packet. */
const introduction = (service: Service): Uint8Array => {
  const line = `# service=${service}\n`
  return Buffer.from(`${(line.length + 4).toString(16).padStart(4, "0")}${line}0000`)
}
