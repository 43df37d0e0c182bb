import { writtenKey } from '../keys/written-key'
import nicknames from './nicknames.txt' with { type: 'text' }

/**
 * The title that people mean by a nickname that nothing of the title tells; undefined where it is none. A line of
 * nicknames.txt is a title and its nicknames.
 */
export function titleOf(nickname: string): string | undefined {
  titles ??= titlesByNickname()
  return titles.get(writtenKey(nickname))
}

/** Made when first needed: a server need not be asked for anything. */
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
