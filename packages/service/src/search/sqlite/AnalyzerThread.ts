import * as WorkerHost from "../workers/WorkerHost.ts"
import type { WorkerResponse } from "../workers/WorkerMessages.ts"
import type { Document, ReadFile } from "../IndexedDocument.ts"

interface Call {
  readonly resolve: (documents: ReadonlyArray<Document>) => void
  readonly reject: (error: Error) => void
}

/** A thread that analyzes documents, for a worker, which does not use Effect. */
export class AnalyzerThread {
  readonly #calls = new Map<number, Call>()
  readonly #host = WorkerHost.startThread(
    { role: "analyzer", data: undefined },
    { received: (message) => this.#receive(message), ended: (detail) => this.#end(detail) }
  )
  #last = 0
  #ended: string | undefined

  /** Analyzes files. Rejects if the thread ends. */
  analyze(files: ReadonlyArray<ReadFile>): Promise<ReadonlyArray<Document>> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(new Error(this.#ended))
      const id = ++this.#last
      this.#calls.set(id, { resolve, reject })
      this.#host.send({ _tag: "Call", id, method: "analyze", input: files })
    })
  }

  end(): Promise<void> {
    return WorkerHost.end(this.#host)
  }

  #receive(message: WorkerResponse): void {
    const call = this.#calls.get(message.id)
    this.#calls.delete(message.id)
    if (message._tag === "Failed") call?.reject(new Error(message.detail))
    else if (message._tag === "Done") call?.resolve(message.output as ReadonlyArray<Document>) // oxlint-disable-line typescript/no-unsafe-type-assertion -- the output of `analyze`
  }

  #end(detail: string): void {
    this.#ended = detail
    for (const { reject } of this.#calls.values()) reject(new Error(detail))
    this.#calls.clear()
  }
}
