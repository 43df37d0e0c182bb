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

declare module '*.css' {
  const text: string
  export default text
}

declare module '*.svg' {
  const text: string
  export default text
}

declare module 'swagger-ui-dist/swagger-ui-bundle.js' {
  /** The path of the embedded file. */
  const path: string
  export default path
}

declare module 'swagger-ui-dist/oauth2-redirect.js' {
  /** The path of the embedded file. */
  const path: string
  export default path
}

declare module 'swagger-ui-dist/swagger-ui.css' {
  /** The path of the embedded file. */
  const path: string
  export default path
}
