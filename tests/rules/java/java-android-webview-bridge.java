package org.example.app;

import android.webkit.*;

class HelpActivity extends Activity {
    protected void onCreate(Bundle state) {
        WebView view = findViewById(R.id.web);
        view.getSettings().setJavaScriptEnabled(true);
        // ruleid: java-android-webview-bridge
        view.addJavascriptInterface(new Bridge(this), "app");
        view.loadUrl(getIntent().getDataString());
    }

    void settings(WebView view) {
        WebSettings settings = view.getSettings();
        settings.setJavaScriptEnabled(true);
        // ruleid: java-android-webview-bridge
        view.addJavascriptInterface(new Bridge(this), "app");
    }

    void silent(WebView view) {
        view.getSettings().setJavaScriptEnabled(false);
        // ok: java-android-webview-bridge
        view.addJavascriptInterface(new Bridge(this), "app");
    }

    void own(WebView view) {
        view.getSettings().setJavaScriptEnabled(true);
        // ok: java-android-webview-bridge
        view.addJavascriptInterface(new Bridge(this), "app");
        view.loadUrl("file:///android_asset/help.html");
    }
}
