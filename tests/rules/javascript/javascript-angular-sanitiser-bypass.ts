import { DomSanitizer } from '@angular/platform-browser';

class SafeHtmlPipe {
  constructor(private sanitizer: DomSanitizer, private route: ActivatedRoute) {}

  transform(value: string) {
    // ruleid: javascript-angular-sanitiser-bypass
    return this.sanitizer.bypassSecurityTrustHtml(value);
  }

  ngOnInit() {
    const video = this.route.snapshot.queryParams.video;
    // ruleid: javascript-angular-sanitiser-bypass
    this.url = this.sanitizer.bypassSecurityTrustResourceUrl('https://' + video);
  }

  safe(text: string, blob: Blob) {
    // ok: javascript-angular-sanitiser-bypass
    this.logo = this.sanitizer.bypassSecurityTrustHtml('<svg></svg>');
    // ok: javascript-angular-sanitiser-bypass
    this.text = this.sanitizer.sanitize(SecurityContext.HTML, text);
    // ok: javascript-angular-sanitiser-bypass
    this.src = this.sanitizer.bypassSecurityTrustUrl(URL.createObjectURL(blob));
  }
}
