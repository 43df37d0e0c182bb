import type { RawValues } from '../../http/request-values'
import { type RatingState, ratingStates, stateOfScore } from '../../library/ratings'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContext } from '../../pages/layout'
import { integerBetween } from '../../values/number'
import type { RatingDisplay } from '../../values/preferences'
import { anyText, oneOf } from '../../values/text'
import { orBlank } from '../../values/value'
import { FormProblem } from '../../web/problem'
import { halvesOf, type NumberDisplay, numberIn, type Rated, starsText, wordOf } from './rating'

export const bestFirst: readonly RatingState[] = [...ratingStates].reverse()

/** What a form shows as chosen, or what was typed. */
export interface RatingTexts {
  readonly rating_state: string
  readonly score: string
  readonly score_exact: string
}

export const noRating: RatingTexts = { rating_state: '', score: '', score_exact: '' }

/** A stored rating in a form: what is saved unchanged stays as it is. */
export function ratingTexts({ preferences }: PageContext, { rating, score }: Rated): RatingTexts {
  const { ratingDisplay: display } = preferences
  const isExact = score !== null && score % 10 !== 0 && (display === 'ten' || display === 'hundred')
  return {
    rating_state: wordOf({ rating, score }) ?? '',
    score: score === null ? '' : String(score),
    score_exact: isExact ? numberIn(display, score) : '',
  }
}

interface ChoiceOptions {
  readonly takesFocus?: boolean
  /** Of what is edited, also none can be chosen. */
  readonly isEdit?: boolean
}

/** Radio buttons in the reader's scale: four faces, five stars of two halves, or ten numbers and a field for others (D87). */
export function ratingChoice(
  pageContext: PageContext,
  texts: RatingTexts,
  options: ChoiceOptions = {},
): Markup {
  const { ratingDisplay: display } = pageContext.preferences
  return display === 'words'
    ? faces(pageContext, texts, options)
    : numbers(pageContext, display, texts, options)
}

function faces(
  { t }: PageContext,
  { rating_state }: RatingTexts,
  { takesFocus = false, isEdit = false }: ChoiceOptions,
): Markup {
  const face = (state: RatingState, at: number) =>
    html`<label class="face ${state}"><input type="radio" name="rating_state" value="${state}" data-keys="${at + 1}"${checked(state === rating_state)}${takesFocus && at === 0 ? html` autofocus` : ''} />${icon(state, 28)}<span>${t.ratings[state]}</span></label>`
  const none = isEdit
    ? html`<label class="check"><input type="radio" name="rating_state" value=""${checked(rating_state === '')} />${t.episode.noRating}</label>`
    : ''
  return html`<fieldset class="faces rating"><legend>${t.ratings.title}</legend>${bestFirst.map(face)}</fieldset>${none}`
}

function numbers(
  pageContext: PageContext,
  display: NumberDisplay,
  texts: RatingTexts,
  { takesFocus = false, isEdit = false }: ChoiceOptions,
): Markup {
  const { t } = pageContext
  const { rating_state, score, score_exact } = texts
  const chosen = score === '' || score_exact !== '' ? 0 : halvesOf(Number(score))
  const number = (halves: number) => {
    const value = halves === chosen ? Number(score) : halves * 10
    const stars = t.ratings.ofFive(starsText(halves))
    const name = display === 'stars' ? html` aria-label="${stars}"` : ''
    const focus = takesFocus && halves === 1 ? html` autofocus` : ''
    const shown =
      display === 'stars' ? halfStar(halves) : html`<span>${numberIn(display, halves * 10)}</span>`
    const meant = html`<span class="meant" aria-hidden="true">${display === 'stars' ? html`<b>${stars}</b>` : ''}${face(pageContext, stateOfScore(value))}</span>`
    return html`<label class="number"><input type="radio" name="score" value="${value}" data-keys="${halves % 10}"${name}${checked(halves === chosen)}${focus} />${shown}${meant}</label>`
  }
  const word = ratingStates.find((state) => state === rating_state)
  const isNone = isEdit && score === '' && score_exact === '' && word === undefined
  const none = html`<label class="none"><input type="radio" name="score" value=""${checked(isNone)} /><span>${t.ratings.none}</span></label>`
  return html`<fieldset class="scores rating ${display}"><legend>${t.ratings.title}</legend>${
    word === undefined ? '' : html`<span class="meant stored">${face(pageContext, word)}</span>`
  }<div class="numbers">${allHalves.map(number)}</div><div class="beside">${exactInput(pageContext, score_exact)}${none}</div></fieldset>`
}

/** For a number that is not among the ten; stars have none. */
export const exactField = (pageContext: PageContext, rated: Rated): Markup | '' =>
  exactInput(pageContext, ratingTexts(pageContext, rated).score_exact, html` required`)

function exactInput({ t, preferences }: PageContext, value: string, required: Markup | '' = ''): Markup | '' {
  const most = { words: 0, stars: 0, ten: 10, hundred: 100 }[preferences.ratingDisplay]
  if (most === 0) return ''
  return html`<label class="exactly">${t.ratings.exactly}<input name="score_exact" value="${value}" inputmode="decimal" autocomplete="off" maxlength="5" placeholder="${most === 10 ? '8.5' : '85'}"${required} />${t.ratings.points(most)}</label>`
}

const allHalves = Array.from({ length: 10 }, (_, at) => at + 1)

const checked = (isChecked: boolean) => (isChecked ? html` checked` : '')

const face = ({ t }: PageContext, state: RatingState): Markup => html`${icon(state, 16)}${t.ratings[state]}`

/** The left or the right half of a star of 48 pixels. */
const halfStar = (halves: number): Markup =>
  html`<svg width="24" height="48" viewBox="${halves % 2 === 1 ? 2 : 10} 1.7 8 16" aria-hidden="true"><path d="m10 3 2.1 4.5 4.9.6-3.6 3.4.9 4.9L10 14l-4.3 2.4.9-4.9L3 8.1l4.9-.6L10 3Z"/></svg>`

/** What a button may say at once, in the reader's scale; `face` for words. */
export function ratingsToChoose(
  { t, preferences }: PageContext,
  rated: Rated = { rating: null, score: null },
) {
  const { ratingDisplay: display } = preferences
  if (display === 'words')
    return bestFirst.map((state, at) => {
      const isChosen = state === wordOf(rated)
      return {
        name: 'rating_state',
        value: state,
        text: t.ratings[state],
        key: at + 1,
        face: state,
        isChosen,
      }
    })
  const chosen = rated.score === null ? 0 : halvesOf(rated.score)
  return allHalves.map((halves) => {
    const isChosen = halves === chosen
    const value = isChosen ? (rated.score ?? 0) : halves * 10
    const text = numberIn(display, value)
    return { name: 'score', value, text, key: halves % 10, face: undefined, isChosen }
  })
}

/** Buttons that rate a work at once. */
export function ratingButtons(pageContext: PageContext, rated: Rated): Markup {
  const choices = ratingsToChoose(pageContext, rated)
  const buttons = choices.map(({ name, value, text, key, face, isChosen }) => {
    return html`<button name="${name}" value="${value}" aria-pressed="${String(isChosen)}" data-keys="${key}">${face === undefined ? '' : icon(face, 16)}${text}</button>`
  })
  return choices.length === allHalves.length
    ? html`<div class="number-buttons">${buttons}</div>`
    : html`${buttons}`
}

/** The fields of a form with a rating; read together by `ratingSaid`. */
export const ratingValues = {
  rating_state: orBlank(oneOf(ratingStates), null),
  score: orBlank(integerBetween(1, 100), undefined),
  score_exact: anyText,
}

interface RatingValues {
  readonly rating_state: RatingState | null
  readonly score: number | undefined
  readonly score_exact: string
}

/** Null takes the rating back; both are undefined where nothing was chosen. Throws a `FormProblem` for `score_exact`. */
export function ratingSaid({ preferences }: PageContext, values: RatingValues, sent: RawValues) {
  const typed = values.score_exact.normalize('NFKC').trim().replace(',', '.')
  const word = sent.has('rating_state') ? values.rating_state : undefined
  if (typed !== '') return { score: exactScore(typed, preferences.ratingDisplay) }
  if (values.score !== undefined) return { score: values.score, ratingState: word ?? undefined }
  return { ratingState: sent.has('score') ? (word ?? null) : word }
}

/** `8.5` and `85` are the same, except that 10 is of the reader's scale. */
function exactScore(typed: string, display: RatingDisplay): number {
  const number = /^\d{1,3}(?:\.\d)?$/.test(typed) ? Number(typed) : 0
  const isOfHundred = Number.isInteger(number) && (display === 'hundred' || number > 10)
  const score = isOfHundred ? number : Math.round(number * 10)
  if (score >= 1 && score <= 100) return score
  throw new FormProblem('score_exact', (t) =>
    display === 'hundred' ? t.ratings.exactHundred : t.ratings.exactTen,
  )
}

/** What was typed, of a form that is shown again. */
export function typedRating(text: (name: string) => string): RatingTexts {
  const [rating_state, score, score_exact] = [text('rating_state'), text('score'), text('score_exact')]
  return { rating_state, score: /^[1-9]\d?$|^100$/.test(score) ? score : '', score_exact }
}
