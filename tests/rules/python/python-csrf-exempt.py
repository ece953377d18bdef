import hmac

from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_exempt, csrf_protect


# ruleid: python-csrf-exempt
@csrf_exempt
def save(request):
    Page.objects.create(title=request.POST["title"])
    return HttpResponse(status=201)


# ruleid: python-csrf-exempt
@method_decorator(csrf_exempt, name="dispatch")
class SaveView(View):
    pass


# ok: python-csrf-exempt
@csrf_exempt
def hook(request):
    if not hmac.compare_digest(signature(request), request.headers["X-Signature"]):
        return HttpResponse(status=403)
    return HttpResponse()


# ok: python-csrf-exempt
@csrf_protect
def edit(request):
    return HttpResponse()
