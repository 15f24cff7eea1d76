import type * as IssueApi from "../../IssueApi.ts"

/** The reactions to a text, each with its number. Renders nothing without reactions. */
export const Reactions = ({ reactions }: { readonly reactions: ReadonlyArray<IssueApi.Reaction> }) =>
  reactions.length > 0 && (
    <ul className="reactions" aria-label="Reactions">
      {reactions.map(({ content, count }) => {
        const [mark, name] = marks.get(content) ?? [content, content]
        return (
          <li key={content} title={name}>
            <span role="img" aria-label={name}>
              {mark}
            </span>{" "}
            {count}
          </li>
        )
      })}
    </ul>
  )

const marks: ReadonlyMap<string, readonly [mark: string, name: string]> = new Map([
  ["+1", ["👍", "thumbs up"]],
  ["-1", ["👎", "thumbs down"]],
  ["laugh", ["😄", "laugh"]],
  ["hooray", ["🎉", "hooray"]],
  ["confused", ["😕", "confused"]],
  ["heart", ["❤️", "heart"]],
  ["rocket", ["🚀", "rocket"]],
  ["eyes", ["👀", "eyes"]]
])
