import * as WorkerHost from "../workers/WorkerHost.ts"
import type { WorkerResponse } from "../workers/WorkerMessages.ts"
import type { Document, ReadFile } from "../IndexedDocument.ts"
import { SharedBuffers } from "./SharedBuffers.ts"

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
  readonly #shared = new SharedBuffers()
  #last = 0
  #ended: string | undefined

  /**
   * Analyzes files. Rejects if the thread ends. The documents are valid until the `SharedBuffers.COUNT`th next call.
   */
  analyze(files: ReadonlyArray<ReadFile>): Promise<ReadonlyArray<Document>> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(new Error(this.#ended))
      const id = ++this.#last
      this.#calls.set(id, { resolve, reject })
      this.#host.send({ _tag: "Call", id, method: "analyze", input: this.#share(files) })
    })
  }

  /** Copies the contents of files to shared memory. */
  #share(files: ReadonlyArray<ReadFile>): ReadonlyArray<ReadFile> {
    const shared = new Uint8Array(this.#shared.take(files.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0)))
    let length = 0
    return files.map((file) => {
      if (file.bytes === undefined) return file
      shared.set(file.bytes, length)
      const bytes = shared.subarray(length, length + file.bytes.length)
      length += bytes.length
      return { ...file, bytes }
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
