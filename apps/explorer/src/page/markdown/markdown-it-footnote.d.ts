declare module "markdown-it-footnote" {
  import type MarkdownIt from "markdown-it"
  const footnote: (markdown: InstanceType<typeof MarkdownIt>) => void
  export default footnote
}
