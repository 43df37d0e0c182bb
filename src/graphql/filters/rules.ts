import { GraphQLError } from 'graphql'

const maxTexts = 100
const maxTextLength = 300
const maxIds = 10_000

function checkTexts(name: string, texts: readonly string[]): void {
  if (texts.length > maxTexts) throw new GraphQLError(`${name} must be at most ${maxTexts}`)
  if (texts.some((text) => text.length > maxTextLength && [...text].length > maxTextLength))
    throw new GraphQLError(`each of ${name} must be at most ${maxTextLength} characters long`)
}

/** D112: clients send blank texts and empty lists for "any"; undefined if nothing is left. */
export function textsGiven(name: string, texts: readonly string[]): readonly string[] | undefined {
  checkTexts(name, texts)
  const given = texts.filter((text) => text.trim() !== '')
  return given.length === 0 ? undefined : given
}

export function checkIds(name: string, ids: readonly unknown[], most = maxIds): void {
  if (ids.length > most) throw new GraphQLError(`${name} must be at most ${most.toLocaleString('en')}`)
}
