import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { html } from '../../src/pages/html'
import { markerOf } from '../../src/viewing/search/work-row'
import { codePoint } from '../support/code-point'

describe('a mark', () => {
  const marked = (typed: string, text: string) => markerOf(typed).mark(text).text

  test('is where the text occurs, whatever its kana, width, case and marks', () => {
    expect(marked('ぼっちざろっく', 'ぼっち・ざ・ろっく！')).toBe('<mark>ぼっち・ざ・ろっく</mark>！')
    expect(marked('ガラス', 'ｶﾞﾗｽの仮面')).toBe('<mark>ｶﾞﾗｽ</mark>の仮面')
    expect(marked('abc', '海のＡＢＣ')).toBe('海の<mark>ＡＢＣ</mark>')
    expect(marked('の', '時の砂の城')).toBe('時<mark>の</mark>砂<mark>の</mark>城')
    expect(marked('カ', 'ガラス')).toBe('ガラス')
    expect(marked('!!', 'けいおん!!')).toBe('けいおん!!')
  })

  test('does not change the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: codePoint }),
        fc.string({ unit: codePoint, maxLength: 3 }),
        (text, typed) => {
          expect(marked(typed, text).replaceAll(/<\/?mark>/g, '')).toBe(html`${text}`.text)
        },
      ),
    )
  })
})
