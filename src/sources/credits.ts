import { roleLabels } from '../catalogue/labels'
import { fold } from '../lib/fold'
import type { Known } from './known'
import type { CatalogueLine } from './source'

export interface StaffCredit {
  readonly roles: readonly string[]
  readonly names: readonly string[]
}

export interface CastCredit {
  readonly characters: readonly string[]
  readonly names: readonly string[]
}

/** The lines of credits, plus one for each person, company and character that is new in the run. */
export class Credits {
  readonly #known: Known
  readonly #site: string
  /** Keys by type and folded name. */
  readonly #told = new Map<string, string>()

  constructor(known: Known, site: string) {
    this.#known = known
    this.#site = site
  }

  *staff(id: string, credits: readonly StaffCredit[]): Generator<CatalogueLine> {
    const seen = new Set<string>()
    for (const { roles, names } of credits) {
      const kind = roles.some((role) => companies.test(role)) ? 'organization' : 'person'
      for (const role of roles) {
        for (const name of names) {
          const { key, lines } = this.#named(kind, name)
          if (seen.has(`${key} ${role}`)) continue
          seen.add(`${key} ${role}`)
          yield* lines
          yield {
            type: 'staff',
            work: `${this.#site}:${id}`,
            [kind]: key,
            ...roleOf(role),
            sort_number: seen.size * 10,
          }
        }
      }
    }
  }

  *casts(
    id: string,
    credits: readonly CastCredit[],
    of: WorkId = [this.#site, id],
  ): Generator<CatalogueLine> {
    const seen = new Set<string>()
    for (const credit of credits) {
      for (const { character, voice } of pairsOf(credit)) {
        const [person, role] = [this.#named('person', voice), this.#character(id, character, of)]
        if (seen.has(`${role.key} ${person.key}`)) continue
        seen.add(`${role.key} ${person.key}`)
        // The line that several pairs share comes first.
        const isVoiceShared = credit.names.length <= credit.characters.length
        yield* isVoiceShared ? [...person.lines, ...role.lines] : [...role.lines, ...person.lines]
        yield {
          type: 'cast',
          work: `${this.#site}:${id}`,
          character: role.key,
          person: person.key,
          sort_number: seen.size * 10,
        }
      }
    }
  }

  #named(kind: 'person' | 'organization', name: string): CreditedLines {
    return this.#tell(kind, `${this.#site}:${kind}:${name}`, name, () => this.#known[kind](name))
  }

  #character(id: string, name: string, [namespace, workId]: WorkId): CreditedLines {
    const known = () => this.#known.character(namespace, workId, name)
    return this.#tell('character', `${this.#site}:${id}:${name}`, name, known, `${id} `)
  }

  /** Yields a line only the first time somebody is named who is not known from another source. */
  #tell(type: string, ownKey: string, name: string, known: () => string | undefined, of = ''): CreditedLines {
    const place = `${type} ${of}${fold(name)}`
    const told = this.#told.get(place)
    if (told !== undefined) return { key: told, lines: [] }
    const key = known() ?? ownKey
    this.#told.set(place, key)
    return { key, lines: key === ownKey ? [{ type, key, name }] : [] }
  }
}

/** An id by which the catalogue finds a work. */
export type WorkId = readonly [namespace: string, id: string]

interface CreditedLines {
  readonly key: string
  readonly lines: readonly CatalogueLine[]
}

const pairsOf = ({ characters, names }: CastCredit) =>
  characters.flatMap((character) => names.map((voice) => ({ character, voice })))

const roleOf = (text: string) => {
  const role = rolesByLabel.get(text)
  return role === undefined ? { role: 'other', role_other: text } : { role }
}

export const rolesByLabel: ReadonlyMap<string, string> = new Map(
  Object.entries(roleLabels).map(([role, label]) => [label, role]),
)

/** Roles of companies: アニメーション制作, 製作, 制作協力, 音響制作. */
const companies = /[制製]作(?:協力)?$/
