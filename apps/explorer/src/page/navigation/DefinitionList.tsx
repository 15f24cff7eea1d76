import type { Definition } from "@tongs/core/contract/groups/CodeNavigation"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { SymbolKindIcon } from "../components/SymbolKindIcon.tsx"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"
import { CodeText } from "./CodeText.tsx"
import * as Definitions from "./Definitions.ts"

/** Definitions by distance from the file, as links. `onOpen` replaces a link's navigation. */
export const DefinitionList = ({
  definitions,
  file,
  onOpen,
  route
}: {
  readonly definitions: ReadonlyArray<Definition>
  readonly file: ExplorerApi.PinnedPath
  readonly route: Route.File
  readonly onOpen: (definition: Definition) => void
}) => {
  const groups = Definitions.grouped(definitions, file)
  return groups.map(({ definitions, title }) => (
    <section key={title} className="definition-group" aria-label={title}>
      {groups.length > 1 && <h3>{title}</h3>}
      <ul>
        {definitions.map((definition) => (
          <li key={Definitions.key(definition)}>
            <Link to={Definitions.locationRoute(definition, file, route)} onNavigate={() => onOpen(definition)}>
              <span className="definition-location">
                <SymbolKindIcon kind={definition.kind} />
                <span>
                  {title === "Other repositories" &&
                    `${displayText(definition.owner)}/${displayText(definition.repo)} `}
                  {displayText(definition.path)}
                  <span className="dim">:{definition.line}</span>
                </span>
                {definition.scope !== undefined && <span className="dim">in {displayText(definition.scope)}</span>}
                {definition.package !== undefined && (
                  <span className="dim">package {displayText(definition.package)}</span>
                )}
              </span>
              <code>
                <CodeText text={firstLine(definition)} path={definition.path} />
              </code>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  ))
}

const firstLine = ({ signature, text }: Definition): string => (signature ?? text).trim().replace(/\s*\n\s*/g, " ")
