/** The keys and the search syntax. */
import type { RefObject } from "react"

export const Help = ({ ref }: { readonly ref: RefObject<HTMLDialogElement | null> }) => (
  <dialog
    ref={ref}
    className="help"
    aria-labelledby="help-title"
    onClick={(event) => event.target === ref.current && ref.current?.close()}
  >
    <form method="dialog">
      <h2 id="help-title">Keys</h2>
      <dl>
        {KEYS.map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <h2>Search</h2>
      <dl>
        {SYNTAX.map(([syntax, meaning]) => (
          <div key={syntax}>
            <dt>
              <code>{syntax}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <button type="submit">Close</button>
    </form>
  </dialog>
)

const KEYS: ReadonlyArray<readonly [ReadonlyArray<string>, string]> = [
  [["/"], "to the search box"],
  [["j", "k"], "next and previous: result, match, entry"],
  [["Enter"], "search; open"],
  [["o"], "open in a new tab"],
  [["y"], "copy a link to this file at this commit"],
  [["Esc"], "back: to the results, to the start"],
  [["?"], "this"]
]

const SYNTAX: ReadonlyArray<readonly [string, string]> = [
  ["two words", "files with both"],
  ['"two words"', "side by side"],
  ["a OR b", "either"],
  ["a NOT b", "without b"],
  ["repo:owner/name", "in one repository"],
  ["user:name, org:name", "in the repositories of an account"],
  ["path:src/api", "under a folder"],
  ["filename:index.ts", "in files of this name"],
  ["extension:ts", "with this extension"],
  ["language:go", "in one language"],
  ["size:>1000", "of this size in bytes"],
  ["in:path", "in the path instead of the content"],
  ["-path:test", "not there"]
]
