// Puts the times of a page into the reader's zone and words. Without it they are in UTC, and say so.
const language = document.documentElement.lang
const words = document.querySelector('script[data-locale]').dataset
const locale = navigator.languages.find((one) => one.startsWith(`${language}-`)) ?? words.locale
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
const both = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' })
const days = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })

/** The number of a day of the reader's calendar, for differences: days are not always 24 hours long. */
const dayOf = (at) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 86_400_000

function inWords(at) {
  const away = dayOf(at) - dayOf(new Date())
  if (Math.abs(away) > 1) return both.format(at)
  return words.dayAndTime.replace('{day}', days.format(away, 'day')).replace('{time}', clock.format(at))
}

for (const element of document.querySelectorAll('time')) {
  const at = new Date(element.dateTime)
  element.textContent = 'day' in element.dataset ? date.format(at) : inWords(at)
  element.title = exact.format(at)
}
