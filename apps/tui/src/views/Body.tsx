import type * as View from "../model/View.ts"
import { LinesWithPreview } from "./LinesWithPreview.tsx"
import { Loading } from "./Loading.tsx"
import { Message } from "./Message.tsx"

interface Props {
  readonly body: View.Body
  readonly columns: number
  readonly rows: number
}

/** The area between the tabs and the status line. */
export const Body = ({ body, columns, rows }: Props) => {
  switch (body._tag) {
    case "Lines":
      return <LinesWithPreview body={body} width={columns} rows={rows} />
    case "Loading":
      return (
        <Loading key={body.subject} subject={body.subject} waitReason={body.waitReason}>
          {body.previous !== undefined && <Body body={body.previous} columns={columns} rows={rows} />}
        </Loading>
      )
    case "Message":
      return <Message role={body.role} title={body.title} hint={body.hint} columns={columns} rows={rows} />
  }
}
