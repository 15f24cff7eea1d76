/** The part of the standard that the thread of jq uses. Its types are otherwise those of browsers only. */
declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  const Memory: { readonly prototype: Memory }
}
