/** What a search says that found nothing, and the ways on from there. */
import { Link } from "../Link.tsx"
import { Notice } from "../Notice.tsx"
import { shown } from "../Shown.ts"
import type * as View from "../View.ts"
import * as Refine from "./Refine.ts"

export const Nothing = ({ hasIndex, view }: { readonly view: View.Search; readonly hasIndex: boolean }) => {
  const { kind, q } = view
  const refinements = Refine.all(q)
  return (
    <Notice title="What may help">
      {(refinements.length > 0 || kind !== undefined) && (
        <p className="ways">
          {refinements.map((one) => (
            <Link key={Refine.print(one)} to={{ ...view, q: Refine.remove(q, one) }}>
              Without <code>{shown(Refine.print(one))}</code>
            </Link>
          ))}
          {kind !== undefined && <Link to={{ _tag: "Search", q }}>Not only what defines a {shown(kind)}</Link>}
        </p>
      )}
      <ul>
        <li>Try a shorter word, or another one.</li>
        {hasIndex ? (
          <>
            <li>
              <code>/regular.*expressions/</code> find what words do not.
            </li>
            <li>
              Only default branches are searched. The <Link to={HOME}>first page</Link> tells what the index has, and
              what it leaves out.
            </li>
          </>
        ) : (
          <li>Only default branches are searched, and only files below 384 KB.</li>
        )}
      </ul>
    </Notice>
  )
}

const HOME: View.Home = { _tag: "Home" }
