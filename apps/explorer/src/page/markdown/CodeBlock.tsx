import { CopyButton } from "../components/CopyButton.tsx"
import { HighlightedText } from "../components/HighlightedText.tsx"
import { displayText } from "../model/displayText.ts"
import * as TextSegments from "../syntax/TextSegments.ts"
import { useSyntaxTokens } from "../syntax/useSyntaxTokens.ts"

/** UTF-16 units above which code is not highlighted: each token is an element. */
const MAX_HIGHLIGHTED = 20_000

/** A block of code, highlighted according to the name of the language. */
export const CodeBlock = ({ language, text }: { readonly text: string; readonly language: string | undefined }) => {
  const code = text.endsWith("\n") ? text.slice(0, -1) : text
  const isHighlighted = language !== undefined && code.length <= MAX_HIGHLIGHTED
  const tokens = useSyntaxTokens(isHighlighted ? `x.${extensionOf(language)}` : "x", isHighlighted ? code : "", 0)
  const lines = code.split("\n")
  const starts = startsOf(lines)
  return (
    <div className="code-block">
      <pre tabIndex={0}>
        <code>
          {isHighlighted
            ? lines.map((line, index) => {
                const start = starts[index] ?? 0
                return (
                  <span key={index}>
                    <HighlightedText text={line} tokens={TextSegments.clipTokens(tokens, start, start + line.length)} />
                    {index < lines.length - 1 && "\n"}
                  </span>
                )
              })
            : lines.map(displayText).join("\n")}
        </code>
      </pre>
      <CopyButton text={code} label="Copy" />
    </div>
  )
}

const startsOf = (lines: ReadonlyArray<string>): ReadonlyArray<number> => {
  const starts = [0]
  for (const { length } of lines) starts.push((starts.at(-1) ?? 0) + length + 1)
  return starts
}

/** The file extension of a language by the name in a document, which often is the extension. */
const extensionOf = (language: string): string => extensions.get(language.toLowerCase()) ?? language.toLowerCase()

const extensions: ReadonlyMap<string, string> = new Map([
  ["typescript", "ts"],
  ["javascript", "js"],
  ["node", "js"],
  ["python", "py"],
  ["python3", "py"],
  ["golang", "go"],
  ["rust", "rs"],
  ["c++", "cpp"],
  ["objective-c", "c"],
  ["markdown", "md"]
])
