const paths = {
  blame: "M8 8.2a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2ZM3 13.4c.5-2.3 2.5-3.6 5-3.6s4.5 1.3 5 3.6",
  branch:
    "M4.5 4.5v7M4.5 4.5a1.5 1.5 0 1 0 0-.01M4.5 13a1.5 1.5 0 1 0 0-.01M11.5 6a1.5 1.5 0 1 0 0-.01M11.5 6c0 3-7 2-7 4.5",
  compare: "M4.5 12V4.5M2.5 6.5l2-2 2 2M11.5 4v7.5M9.5 9.5l2 2 2-2",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  down: "M4 6.5 8 10.5 12 6.5",
  file: "M4 2.5h5L12.5 6v7.5h-8.5zM9 2.5V6h3.5",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  find: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3 14 14",
  folder: "M2 4.5c0-.6.4-1 1-1h3l1.5 1.5H13c.6 0 1 .4 1 1v6c0 .6-.4 1-1 1H3c-.6 0-1-.4-1-1z",
  history: "M8 4.5V8l2.5 1.5M2.5 8A5.5 5.5 0 1 0 4.2 4M2.3 2.5 3.9 4.3 2.3 5.9",
  issue: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 8h.01",
  link: "M6.5 9.5l3-3M7 4.5 8.5 3a3.2 3.2 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3.2 3.2 0 0 1 3 8.5L4.5 7",
  minus: "M3 8h10",
  panel: "M2.5 3h11v10h-11zM6.5 3v10",
  plus: "M3 8h10M8 3v10",
  pull: "M4.5 6v7M4.5 4.5a1.5 1.5 0 1 0 0-.01M4.5 14.5a1.5 1.5 0 1 0 0-.01M11.5 14.5a1.5 1.5 0 1 0 0-.01M11.5 11.5V6.5c0-1.5-.7-2.5-2.5-2.5H8M9.8 2 7.8 4l2 2",
  raw: "M2.5 3.5h11M2.5 6.5h7M2.5 9.5h11M2.5 12.5h5",
  run: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6.7 5.7v4.6L10.3 8z",
  right: "M6.5 4 10.5 8 6.5 12",
  symbols: "M2.5 3.5h3v3h-3zM7.5 5h6M5.5 11h8M2.5 9.5h3v3h-3zM9 5v6",
  submodule:
    "M2 4.5c0-.6.4-1 1-1h3l1.5 1.5H13c.6 0 1 .4 1 1v6c0 .6-.4 1-1 1H3c-.6 0-1-.4-1-1zM6 9h4M8.5 7.5 10 9l-1.5 1.5",
  symlink: "M4 2.5h5L12.5 6v7.5h-8.5zM6 11c0-2 1-2.5 4-2.5M8.5 7 10 8.5 8.5 10",
  tag: "M2.5 3v4.2l6.3 6.3 4.7-4.7L7.2 2.5H3zM5.2 5.2h.01",
  up: "M4 9.5 8 5.5 12 9.5",
  wrap: "M2.5 3.5h11M2.5 8h8.5a2.2 2.2 0 0 1 0 4.5H8M9.5 11 8 12.5 9.5 14M2.5 12.5h3",
  close: "M4 4l8 8M12 4l-8 8"
}

export type IconName = keyof typeof paths

/** An icon in the colour of the surrounding text. Hidden from screen readers. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
