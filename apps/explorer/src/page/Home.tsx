/** Where one starts: what to type, and what there is to search. */
import * as Ago from "@tongs/core/text/Ago"
import type * as Wire from "../Wire.ts"
import * as Api from "./Api.ts"
import { FailureNote } from "./FailureNote.tsx"
import { Link } from "./Link.tsx"
import { Notice } from "./Notice.tsx"
import { shown } from "./Shown.ts"
import { Skeleton } from "./Skeleton.tsx"
import { useKeys } from "./useKeys.ts"

export const Home = ({ connection }: { readonly connection: Api.Answer<Wire.Connection> }) => {
  const answer = Api.useAnswer(Api.repositories, {})
  useKeys({ j: () => step(1), k: () => step(-1) })
  const here = connection._tag === "Ready" ? connection.value.here : null
  return (
    <div className="home">
      {connection._tag === "Ready" &&
        connection.value.notices.map((notice) => (
          <p key={notice} className="banner">
            {shown(notice)}
          </p>
        ))}
      <section aria-label="How to search" className="hints">
        <h1>Search the code</h1>
        <ul>
          {examples(here).map(([q, meaning]) => (
            <li key={q}>
              <Link to={{ _tag: "Search", q }}>
                <code>{shown(q)}</code>
              </Link>
              <span>{meaning}</span>
            </li>
          ))}
        </ul>
      </section>
      <section aria-label="Repositories">
        <h2>Repositories</h2>
        {answer._tag === "Loading" && <Skeleton rows={3} slow={answer.slow} what="Loading the repositories" />}
        {answer._tag === "Failed" && <FailureNote {...answer} />}
        {answer._tag === "Ready" && <List {...answer.value} here={here} />}
      </section>
    </div>
  )
}

const List = ({ here, more, repositories }: Wire.Repositories & { readonly here: Wire.Place | null }) => {
  if (repositories.length === 0) {
    return (
      <Notice title="No repositories yet">
        <p>This account sees none. A search can still find public code.</p>
      </Notice>
    )
  }
  const now = Date.now()
  return (
    <>
      <ul className="cards">
        {repositories.map(
          ({ archived, defaultBranch, description, language, owner, private: isPrivate, pushedAt, repo }) => (
            <li key={`${owner}/${repo}`} className="card">
              <h3>
                <Link to={{ _tag: "Tree", owner, repo, path: "" }} data-card="">
                  <span className="dim">{shown(owner)}/</span>
                  {shown(repo)}
                </Link>
                {here?.owner === owner && here.repo === repo && <span className="tag accent">you are here</span>}
                {isPrivate && <span className="tag">private</span>}
                {archived && <span className="tag">archived</span>}
              </h3>
              <p className={description === null ? "dim" : undefined}>{shown(description ?? "No description")}</p>
              <p className="facts">
                <span className="branch">{shown(defaultBranch)}</span>
                {language !== null && <span>{shown(language)}</span>}
                {pushedAt !== null && <time dateTime={pushedAt}>{Ago.format(Date.parse(pushedAt), now)}</time>}
              </p>
            </li>
          )
        )}
      </ul>
      {more && (
        <p className="dim">
          There are more. <code>repo:owner/name</code> searches any of them.
        </p>
      )}
    </>
  )
}

const examples = (here: Wire.Place | null): ReadonlyArray<readonly [q: string, meaning: string]> => [
  ["parse language:typescript", "a word, in files of one language"],
  ['"not found"', "these words side by side"],
  [`import repo:${here === null ? "octo/hello" : `${here.owner}/${here.repo}`}`, "in one repository"],
  ["error path:src NOT warning", "in a folder, without another word"],
  ["readme in:path", "in names of files"]
]

const step = (by: 1 | -1) => {
  const all = Array.from(document.querySelectorAll<HTMLElement>("[data-card]"))
  const at = all.findIndex((element) => element === document.activeElement)
  all[at === -1 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))]?.focus()
}
