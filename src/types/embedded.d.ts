// Files embedded in the executable.

declare module '*.sql' {
  const text: string
  export default text
}

declare module '*.zst' {
  /** The path of the embedded file. */
  const path: string
  export default path
}
