/** The part of the standard that the thread of jq uses. Otherwise only the DOM library declares these types. */
declare namespace WebAssembly {
  interface Memory {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  const Memory: { readonly prototype: Memory }
}
