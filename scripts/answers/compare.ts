import { readFileSync } from 'node:fs'
import { type Answer, nameOf } from './answer'
import { differences } from './difference'
import { withoutTexts } from './texts'

const maxGroups = 60

/** Prints the differences, with equal ones grouped. Returns whether there are none. */
export function compareFiles(first: string, second: string, withTexts: boolean): boolean {
  const before = answersIn(first, withTexts)
  const after = answersIn(second, withTexts)
  const groups = new Map<string, string[]>()
  const add = (what: string, name: string) => groups.set(what, [...(groups.get(what) ?? []), name])
  for (const [name, answer] of before) {
    const other = after.get(name)
    if (other === undefined) add('only in the first', name)
    else for (const what of differences(answer, other)) add(what, name)
  }
  for (const name of after.keys()) if (!before.has(name)) add('only in the second', name)
  for (const [what, names] of [...groups].slice(0, maxGroups)) {
    console.log(`${names.length} × ${what}`)
    for (const name of names.slice(0, 3)) console.log(`      ${name.slice(0, 120)}`)
  }
  if (groups.size > maxGroups) console.log(`… and ${groups.size - maxGroups} more`)
  console.log(`${before.size} and ${after.size} answers, ${groups.size} kinds of difference`)
  return groups.size === 0
}

function answersIn(file: string, withTexts: boolean): Map<string, Answer> {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const answers = lines.map((line): Answer => JSON.parse(line))
  return new Map(answers.map((answer) => [nameOf(answer), withTexts ? answer : withoutTexts(answer)]))
}
