import { Link } from "../components/Link.tsx"
import type { ViewOf } from "../issue/ForgeLinks.ts"
import { displayText } from "../model/displayText.ts"

/**
 * The link of an app or service to the details of a check: on its host in a new tab, or a view for a page of the forge.
 * Nothing for a page that does not exist, and for schemes other than `http` and `https`.
 */
export const DetailsLink = ({
  about,
  url,
  viewOf
}: {
  readonly url: string | null
  /** The name of the check. */
  readonly about: string
  readonly viewOf: ViewOf
}) => {
  const parsed = URL.parse(url ?? "")
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return null
  const view = viewOf(parsed.href)
  if (view === null) return null
  const check = <span className="visually-hidden"> of {displayText(about)}</span>
  if (view !== undefined)
    return (
      <Link className="details-link" to={view}>
        Details{check}
      </Link>
    )
  return (
    <a className="details-link" href={parsed.href} target="_blank" rel="noopener noreferrer nofollow">
      Details on {displayText(parsed.host)}
      {check}
    </a>
  )
}
