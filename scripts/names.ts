import { readFileSync } from 'node:fs'
import { sources } from './sources'

/** Names that fit every type, so that a search for one finds all the others. */
const vague = ['Answer', 'Asked', 'Found', 'Named', 'Place', 'Row', 'Tools']

/** Types of src with a name that says nothing, and names under which two files export a type. */
export function nameProblems(): string[] {
  const types = sources('src').flatMap(typesIn)
  const exported = Map.groupBy(
    types.filter(({ isExported }) => isExported),
    ({ name }) => name,
  )
  const unclear = types.filter(({ name }) => vague.includes(name))
  const shared = [...exported.values()].filter((same) => same.length > 1)
  return [
    ...unclear.map(({ file, name }) => `${file}: ${name} could be anything; name the type after the thing`),
    ...shared.map(
      (same) =>
        `${same.map(({ file }) => file).join(', ')}: each exports a type ${same[0]?.name}; one name, one type`,
    ),
  ]
}

interface NamedType {
  readonly file: string
  readonly name: string
  readonly isExported: boolean
}

/** The types at the top level of a file. */
function typesIn(file: string): NamedType[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/^(export )?(?:abstract )?(?:class|interface|type) (\w+)/gm)].map(
    ([, exported, name = '']) => ({ file, name, isExported: exported !== undefined }),
  )
}
