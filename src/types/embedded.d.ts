// Files embedded in the executable.

declare module '*.sql' {
  const text: string
  export default text
}

declare module '*.zst' {
  const path: string
  export default path
}

declare module '*.png' {
  const path: string
  export default path
}

declare module '*.css' {
  const text: string
  export default text
}

declare module '*.js' {
  const text: string
  export default text
}

declare module '*.svg' {
  const text: string
  export default text
}

declare module '*.txt' {
  const text: string
  export default text
}
