import type { CastCredit, StaffCredit } from '../../credits'

/** `[監督]人 ／ [音楽、音響]人`: ignores text in any other form. */
export const staffIn = (text: string): StaffCredit[] =>
  [...text.matchAll(/\[([^[\]／]+)\]([^[\]／]+)/g)].flatMap(([, roles = '', name = '']) =>
    isName(name)
      ? [
          {
            roles: roles
              .split(/[、・]/)
              .map(plain)
              .filter(isName),
            names: [plain(name)],
          },
        ]
      : [],
  )

/** `【役】人 ／ 【役】人` */
export const castIn = (text: string): CastCredit[] =>
  [...text.matchAll(/【([^【】／]+)】([^【】／]+)/g)].flatMap(([, character = '', name = '']) =>
    isName(name) && isName(character) ? [{ characters: [plain(character)], names: [plain(name)] }] : [],
  )

/** Names may be spaced out to fill a line: ス ザ ク. */
function plain(text: string): string {
  const trimmed = text.replace(/\s+/gu, ' ').trim()
  return /^\S(?: \S){2,}$/u.test(trimmed) ? trimmed.replaceAll(' ', '') : trimmed
}

/** Remarks and unbalanced brackets are not names. */
const isName = (text: string): boolean => {
  const name = plain(text)
  return name !== '' && name.length <= 100 && !/[()（）「」[\]【】]/.test(name)
}
