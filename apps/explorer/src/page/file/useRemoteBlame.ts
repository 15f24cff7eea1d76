/** The blame of a file on a forge without the extension. The blame grows while the explorer reads older versions. */
import { useEffect, useState } from "react"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"

/** Number of requests between two updates, and before the user must confirm to continue. */
const STEP = 4
const BUDGET = 20

/** The blame so far, and the state of reading. */
export interface RemoteBlame {
  /** Undefined before the first response. */
  readonly blame: ExplorerApi.RemoteBlame | undefined
  readonly state: "loading" | "paused" | "complete" | "limited" | "failed"
  readonly failure: ExplorerApi.Failure | undefined
  /** Reads more versions. */
  readonly goOn: () => void
}

/** Reads the blame in steps while `file` is given. Pauses when the rate limit allows no further request. */
export const useRemoteBlame = (file: ExplorerApi.PinnedPath | undefined): RemoteBlame => {
  const { commit, owner, path, repo } = file ?? none
  const key = `${owner}/${repo}/${commit}/${path}`
  const [answer, setAnswer] = useState<{ readonly key: string; readonly blame: ExplorerApi.RemoteBlame }>()
  const [state, setState] = useState<RemoteBlame["state"]>("loading")
  const [failure, setFailure] = useState<ExplorerApi.Failure>()
  const [rounds, setRounds] = useState(1)
  useEffect(() => {
    if (commit === "") return
    const controller = new AbortController()
    const { signal } = controller
    const run = async () => {
      setState("loading")
      let sent: number | undefined
      for (;;) {
        const requests = sent === undefined ? 1 : Math.min(sent + STEP, budget ?? sent + STEP)
        const parameters = { owner, repo, path, ref: commit, requests }
        const next = await ExplorerClient.get(ExplorerClient.remoteBlame, parameters, signal)
        setAnswer({ key, blame: next })
        if (next.complete) return setState("complete")
        if (next.until !== null) return setState("limited")
        sent = next.requests
        budget ??= rounds === 1 ? BUDGET : sent + BUDGET
        if (sent >= budget) return setState("paused")
      }
    }
    let budget: number | undefined
    run().catch((error: unknown) => {
      if (signal.aborted) return
      setFailure(ExplorerClient.failureOf(error))
      setState("failed")
    })
    return () => controller.abort()
  }, [commit, key, owner, path, repo, rounds])
  return {
    blame: answer?.key === key ? answer.blame : undefined,
    state,
    failure,
    goOn: () => setRounds((count) => count + 1)
  }
}

const none: Pick<ExplorerApi.PinnedPath, "commit" | "owner" | "path" | "repo"> = {
  commit: "",
  owner: "",
  path: "",
  repo: ""
}
