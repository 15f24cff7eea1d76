import type { Body as Drawn } from "../model/View.ts"
import { LinesWithPreview } from "./LinesWithPreview.tsx"
import { Loading } from "./Loading.tsx"
import { Message } from "./Message.tsx"

interface Props {
  readonly body: Drawn
  readonly columns: number
  readonly rows: number
}

/** What is between the tabs and the status line. */
export const Body = ({ body, columns, rows }: Props) => {
  switch (body._tag) {
    case "Lines":
      return <LinesWithPreview body={body} width={columns} />
    case "Loading":
      return (
        <Loading key={body.what} what={body.what} why={body.why}>
          {body.before !== undefined && <Body body={body.before} columns={columns} rows={rows} />}
        </Loading>
      )
    case "Message":
      return <Message role={body.role} title={body.title} hint={body.hint} columns={columns} rows={rows} />
  }
}
