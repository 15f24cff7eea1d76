/** What may be meant by what is typed: the searches of before, and what can stand where the caret is. */
import { useMemo } from "react"
import * as Completion from "@tongs/core/query/Completion"
import * as Api from "../Api.ts"
import { useIndexStatus } from "../api/useIndexStatus.ts"
import { useSearchHistory } from "../hooks/useSearchHistory.ts"

export interface Suggestion {
  readonly kind: "saved" | "recent" | "completion"
  /** What is shown, and what it is. */
  readonly label: string
  readonly detail: string
  /** The whole query with it, where its caret is then, and whether that is a search to run at once. */
  readonly text: string
  readonly caret: number
  readonly runs: boolean
}

/** Suggestions at a time. */
const MOST = 8

export const useSuggestions = ({
  caret,
  hasIndex,
  isWanted,
  text
}: {
  readonly text: string
  readonly caret: number
  readonly hasIndex: boolean
  readonly isWanted: boolean
}): ReadonlyArray<Suggestion> => {
  const { recent, saved } = useSearchHistory()
  const index = useIndexStatus(hasIndex)
  const answer = Api.useAnswer(Api.repositories, isWanted ? {} : undefined)
  const repositories = answer._tag === "Ready" ? answer.value.repositories : undefined
  return useMemo(() => {
    if (!isWanted) return []
    const before = (kind: "saved" | "recent", queries: ReadonlyArray<string>): ReadonlyArray<Suggestion> =>
      queries
        .filter((q) => q !== text && q.toLowerCase().includes(text.trim().toLowerCase()))
        .map((q) => ({
          kind,
          label: q,
          detail: kind === "saved" ? "saved search" : "searched before",
          text: q,
          caret: q.length,
          runs: true
        }))
    if (text.trim() === "") {
      return [
        ...before("saved", saved),
        ...before(
          "recent",
          recent.filter((q) => !saved.includes(q))
        )
      ].slice(0, MOST)
    }
    const completion = Completion.complete(text, caret, {
      language: hasIndex ? "code" : "contract",
      values: {
        repo: (repositories ?? []).map(({ owner, repo }) => `${owner}/${repo}`),
        language: [...new Set(index?.flatMap(({ languages }) => languages.map(({ name }) => name)))]
      }
    })
    const completions = completion.options
      .map((option): Suggestion => {
        const accepted = Completion.accept(text, completion, option)
        return {
          kind: "completion",
          label: option.text,
          detail: option.detail,
          text: accepted.text,
          caret: accepted.cursor,
          runs: false
        }
      })
      .filter((one) => one.text.trim() !== text.trim())
    return [...completions, ...before("saved", saved).slice(0, 2), ...before("recent", recent).slice(0, 2)].slice(
      0,
      MOST
    )
  }, [isWanted, text, caret, recent, saved, index, repositories, hasIndex])
}
