declare module 'kuromoji' {
  interface Token {
    surface_form: string
    /** In katakana; undefined for unknown words. */
    reading?: string
  }

  export interface Tokenizer {
    tokenize(text: string): Token[]
  }

  export function builder(options: { dicPath: string }): {
    build(done: (error: Error | null, tokenizer: Tokenizer) => void): void
  }
}
