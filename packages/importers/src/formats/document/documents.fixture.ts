// Small documents of every format, made by hand.
import { storedZip } from '../../../../../tests/fixtures/stored-zip.ts'

/** A PDF with one line on each page. */
export function pdfWith(
  lines: readonly string[],
  info = "/Title (Minutes of April) /CreationDate (D:20260403101500+02'00')",
): Buffer {
  const pages = lines.map((_, at) => `${4 + at * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages}] /Count ${lines.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...lines.flatMap((line, at) => {
      const stream = `BT /F1 12 Tf 50 700 Td (${line}) Tj ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + at * 2} 0 R >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ]
    }),
    `<< ${info} >>`,
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  )
}

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

export const docx = (): Buffer =>
  storedZip({
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<w:document ${W} xmlns:mc="mc"><w:body>
<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:r><w:t>The boat</w:t></w:r></w:p>
<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t xml:space="preserve">Paint the </w:t></w:r><w:ins><w:r><w:t>hull</w:t></w:r></w:ins><w:del><w:r><w:delText>deck</w:delText></w:r></w:del><w:r><w:tab/><w:t>&amp; mast.</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Paint</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>20</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
<w:p><mc:AlternateContent><mc:Choice><w:r><w:t>A box</w:t></w:r></mc:Choice><mc:Fallback><w:r><w:t>A box</w:t></w:r></mc:Fallback></mc:AlternateContent></w:p>
</w:body></w:document>`,
    'word/styles.xml': `<w:styles ${W}><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    'word/footnotes.xml': `<w:footnotes ${W}><w:footnote><w:p><w:r><w:t>Two coats.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
    'docProps/core.xml':
      '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title>Boat plan</dc:title><dc:creator>Ida Moor</dc:creator><dcterms:created>2026-04-03T10:15:00Z</dcterms:created></cp:coreProperties>',
  })

export const odt = (): Buffer =>
  storedZip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml':
      '<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b"><office:body><office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h text:outline-level="1">Letter</text:h><text:p>Dear<text:s text:c="2"/>Ida,<text:line-break/>rain<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>since May</text:p></text:note-body></text:note> again.</text:p><table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table></office:text></office:body></office:document-content>',
    'meta.xml':
      '<office:document-meta xmlns:office="o" xmlns:meta="m" xmlns:dc="d"><office:meta><meta:initial-creator>Ida Moor</meta:initial-creator><meta:creation-date>2026-05-01T09:00:00</meta:creation-date></office:meta></office:document-meta>',
  })

export const epub = (): Buffer =>
  storedZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/a.xhtml': '<html><body><h1>Second</h1><p>The end&nbsp;came.</p></body></html>',
    'OPS/b%20.xhtml': '<html></html>',
    'OPS/z.xhtml': '<html><head><title>First</title></head><body><p>It began.</p></body></html>',
    'OPS/book.opf':
      '<package xmlns:dc="d"><metadata><dc:title>A short book</dc:title><dc:creator>Ida Moor</dc:creator><dc:language>en</dc:language><dc:date>2026-04-03</dc:date></metadata><manifest><item id="one" href="z.xhtml"/><item id="two" href="a.xhtml"/><item id="toc" href="nav.xhtml" properties="nav"/></manifest><spine><itemref idref="toc"/><itemref idref="one"/><itemref idref="two"/></spine></package>',
  })

export const HTML = `<!DOCTYPE html><html lang="en"><head><title>Moss &amp; fern</title><meta name="author" content="Ida Moor"><script>var a = '<h1>no</h1>'</script></head>
<body><nav>Home</nav><h1>Moss</h1><p>It is green.</p><h2>Fern</h2><p>It is tall.</p></body></html>`
