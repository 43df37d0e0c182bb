import Type from 'typebox'

export const text = (description: string, example = '') => Type.String({ description, examples: [example] })

export const integer = (description: string, example = 0) =>
  Type.Integer({ description, examples: [example] })

export const boolean = (description: string, example = false) =>
  Type.Boolean({ description, examples: [example] })

/** A check constraint restricts the column to these words. */
export const word = (words: readonly string[], description: string) =>
  Type.String({ enum: [...words], description, examples: [words[0]] })

export const dateTime = (description: string, example = '2026-04-01T12:00:00.000Z') =>
  Type.String({ format: 'date-time', description, examples: [example] })
