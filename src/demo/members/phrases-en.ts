import type { RatingState } from '../../library/ratings'

/** Sentences of English comments by what the writer thought of the episode; they go together in any number. */
export const english: Readonly<Record<RatingState, readonly [string, ...string[]]>> = {
  great: [
    'Absolutely incredible.',
    'Best episode so far.',
    'I was not ready for that ending.',
    'The animation this week is on another level.',
    'Everything they set up finally pays off.',
    'The soundtrack carried that scene.',
    'I cried, and I am not ashamed of it.',
    'Rewatched the last five minutes three times.',
    'This is why I watch anime.',
    'Masterful direction.',
  ],
  good: [
    'Really enjoyed this one.',
    'Solid episode.',
    'The banter is great.',
    'Nice pacing.',
    'Looking forward to next week.',
    'The backgrounds are gorgeous.',
    'The new character is fun.',
    'It keeps getting better.',
    'A good adaptation of that chapter.',
    'The opening is stuck in my head.',
  ],
  average: [
    'It was fine.',
    'A bit slow this time.',
    'Mostly setup.',
    'Felt rushed in places.',
    'Not bad, not great.',
    'Too much exposition.',
    'I will give it another episode.',
    'Good background noise.',
  ],
  bad: [
    'Not for me.',
    'I have no idea what is going on.',
    'Disappointing after last week.',
    'The plot makes no sense any more.',
    'Probably dropping this.',
    'The production is falling apart.',
  ],
}
