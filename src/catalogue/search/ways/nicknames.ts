import { writtenKey } from '../keys/written-key'
import nicknames from './nicknames.txt' with { type: 'text' }

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
