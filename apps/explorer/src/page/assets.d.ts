declare module "*.css"
declare module "@fontsource-variable/inter/wght.css"
declare module "@fontsource-variable/jetbrains-mono/wght.css"
declare module "*.css?inline" {
  const text: string
  export default text
}
