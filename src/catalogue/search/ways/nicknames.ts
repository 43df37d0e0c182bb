import type { Read } from '../../../db/open'
import { writtenKey } from '../keys/written-key'
import type { SearchKind } from '../texts'
import { findDirect } from './direct'
import nicknames from './nicknames.txt' with { type: 'text' }
import type { Hits } from './scores'

/** Undefined for an unknown nickname. Each line of nicknames.txt is a title and its nicknames. */
export function titleOf(nickname: string): string | undefined {
  titles ??= titlesByNickname()
  return titles.get(writtenKey(nickname))
}

let titles: ReadonlyMap<string, string> | undefined

const titlesByNickname = () =>
  new Map(
    nicknames
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [title = '', names = ''] = line.split(': ')
        return names.split(', ').map((name): [string, string] => [writtenKey(name), title])
      }),
  )

export async function findNamed(read: Read, kind: SearchKind, text: string, hits: Hits): Promise<void> {
  await findDirect(read, kind, text, hits)
  const title = kind === 'works' ? titleOf(text) : undefined
  if (title !== undefined) await findDirect(read, kind, title, hits)
}
