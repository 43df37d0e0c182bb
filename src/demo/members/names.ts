import { usernameKey, usernameText } from '../../accounts/account/username'
import { valid } from '../../values/field-problem'
import type { Random } from '../random'
import { endings, givenNames, nicknames, profiles } from './vocabulary'

/** How a made-up user is called and says hello. */
export interface Profile {
  readonly username: string
  readonly name: string
  readonly description: string
  readonly url: string | null
}

/** Makes up profiles whose usernames nobody has: not those in `taken`, by key, and none twice. */
export function createProfiles(taken: Set<string>, random: Random): (language: 'ja' | 'en') => Profile {
  return (language) => {
    const username = freeUsername(taken, random)
    return {
      username,
      name: language === 'ja' && random.chance(0.8) ? displayName(random) : username,
      description: random.chance(0.4) ? random.pick(profiles[language]) : '',
      url: random.chance(0.08) ? `https://example.com/${username}` : null,
    }
  }
}

function freeUsername(taken: Set<string>, random: Random): string {
  for (;;) {
    const joint = random.chance(0.5) ? '_' : ''
    const words = `${random.pick(givenNames)}${joint}${random.pick(endings)}`
    const username = random.chance(0.3) ? words : `${words}${random.below(10_000)}`
    const key = usernameKey(username)
    if (taken.has(key)) continue
    taken.add(key)
    return valid('username', usernameText, username)
  }
}

const displayName = (random: Random) =>
  random.chance(0.5)
    ? random.pick(nicknames)
    : `${random.pick(nicknames)}${random.pick(['＠アニメ', '☆', '(仮)', 'さん', '。'])}`
