import { expect, test } from 'bun:test'
import { messagesIn } from '../../src/messages/languages'
import { limits } from '../../src/transfer/file/limits'
import { fileProblems, type ProblemDetail, RefusedFile } from '../../src/transfer/file/refused-file'
import { refusalSentence, refusalText } from '../../src/transfer/refusal'
import { sourceNames } from '../../src/transfer/sources'

const objectKeys = <T extends object>(of: T) => Object.keys(of) as (keyof T)[]

test.each([...fileProblems])('a developer reads the code, a colon and a sentence: %s', (problem) => {
  expect(refusalText(new RefusedFile(problem))).toMatch(new RegExp(`^${problem}: [A-Z].+\\.$`))
})

test('the place where a file is broken is given in both languages', () => {
  const at = (detail: ProblemDetail) => new RefusedFile('broken', detail)
  expect(refusalText(at({ line: 12 }))).toContain('line 12')
  expect(refusalText(at({ byte: 4096 }))).toContain('byte 4,096')
  expect(refusalSentence(at({ line: 12 }), messagesIn('ja'))).toContain('12行目')
})

test.each(objectKeys(limits))('every limit has its own sentence: %s', (limit) => {
  const refused = new RefusedFile('too_large', limit)
  expect(refusalText(refused)).not.toBe(refusalText(new RefusedFile('too_large')))
  expect(refusalSentence(refused, messagesIn('ja'))).toEndWith('。')
})

test('for an unknown file, the lists that can be read are named', () => {
  const names = Object.values(sourceNames)
  const refused = new RefusedFile('unrecognised')
  for (const t of [messagesIn('en'), messagesIn('ja')])
    expect(names.filter((name) => !refusalSentence(refused, t).includes(name))).toEqual([])
})
