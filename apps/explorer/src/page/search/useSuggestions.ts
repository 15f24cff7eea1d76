import { useMemo } from "react"
import * as Completion from "@tongs/core/query/Completion"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { useIndexStatus } from "../api/useIndexStatus.ts"
import { useSearchHistory } from "../hooks/useSearchHistory.ts"
import { useSavedSearches } from "../saved/SavedSearches.ts"

/** A suggestion for the search box. */
export interface Suggestion {
  readonly kind: "correction" | "saved" | "recent" | "completion"
  readonly label: string
  readonly detail: string
  /** The query after accepting the suggestion. */
  readonly text: string
  /** The caret in `text`. */
  readonly caret: number
  /** Whether accepting the suggestion runs the query. */
  readonly runs: boolean
}

const MAX_SUGGESTIONS = 8

/** Completions at the caret, and saved and recent searches that contain the text. None while closed. */
export const useSuggestions = ({
  caret,
  hasIndex,
  isOpen,
  text
}: {
  readonly text: string
  readonly caret: number
  readonly hasIndex: boolean
  readonly isOpen: boolean
}): ReadonlyArray<Suggestion> => {
  const { recent, saved: local } = useSearchHistory()
  const onForge = useSavedSearches(hasIndex && isOpen)
  const saved = useMemo(() => (hasIndex ? onForge.map(({ query }) => query) : local), [hasIndex, onForge, local])
  const index = useIndexStatus(hasIndex)
  const answer = ExplorerClient.useRequest(ExplorerClient.repositories, isOpen ? {} : undefined)
  const repositories = answer._tag === "Ready" ? answer.value.repositories : undefined
  return useMemo(() => {
    if (!isOpen) return []
    const searches = (kind: "saved" | "recent", queries: ReadonlyArray<string>): ReadonlyArray<Suggestion> =>
      queries
        .filter((q) => q !== text && q.toLowerCase().includes(text.trim().toLowerCase()))
        .map((q) => ({
          kind,
          label: q,
          detail: kind === "saved" ? "saved search" : "recent search",
          text: q,
          caret: q.length,
          runs: true
        }))
    if (text.trim() === "") {
      return [
        ...searches("saved", saved),
        ...searches(
          "recent",
          recent.filter((q) => !saved.includes(q))
        )
      ].slice(0, MAX_SUGGESTIONS)
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
      .filter((suggestion) => suggestion.text.trim() !== text.trim())
    return [...completions, ...searches("saved", saved).slice(0, 2), ...searches("recent", recent).slice(0, 2)].slice(
      0,
      MAX_SUGGESTIONS
    )
  }, [isOpen, text, caret, recent, saved, index, repositories, hasIndex])
}
